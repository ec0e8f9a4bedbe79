import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The page names the library as its users do.
  resolve: { alias: { rouse: fileURLToPath(new URL('src', import.meta.url)) } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/build.ts'],
    // Two cores, and many tests that start real processes: more files at once only make each other late.
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});
