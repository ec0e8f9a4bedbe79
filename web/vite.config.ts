import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { licences } from '../tools/licences.mjs';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: folder('.'),
  plugins: [licences()],
  resolve: { alias: { rouse: folder('../src') } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  build: {
    outDir: folder('../bin/page'),
    emptyOutDir: true,
    target: 'es2022',
    // A data: URL would need an exception in the content policy of the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Do not print timings on a slow machine.
      checks: { bundlerTimings: false },
      input: { index: folder('index.html'), sw: folder('src/worker/push.ts') },
      // Browsers remember the path of a service worker, and it limits the worker's scope.
      output: { entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js') },
    },
  },
});
