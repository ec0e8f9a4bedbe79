/** `npm run bench`: makes what is missing, compiles the bench and runs it. `--help` tells what it understands. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, installPackages, root, run } from './prepare.mjs';

const DEBIAN_PEERS = ['supervisor', 's6', 'conmon', 'tmux'];

installPackages();
build();
if (process.argv.includes('--install-peers')) run('apt-get', ['install', '-y', ...DEBIAN_PEERS]);

const compiled = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'bench'], {
  cwd: root,
  stdio: 'inherit',
});
if (compiled.status !== 0) process.exit(compiled.status ?? 1);

process.env.ROUSE_BENCH_DIST = join(root, 'dist');
await import(pathToFileURL(join(root, 'node_modules/.cache/bench/bench/main.js')).href);
