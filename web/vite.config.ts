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
    // A file in a data: address would need an exception in the policy of the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // On a slow machine it would explain to a newcomer where its own time went.
      checks: { bundlerTimings: false },
      input: { index: folder('index.html'), sw: folder('src/worker/push.ts') },
      // The address of a service worker is part of what a browser remembers of it, and bounds what it may serve.
      output: { entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js') },
    },
  },
});
