/** `npm run bench`: installs and builds what is missing, compiles the bench and runs it. `--help` lists the options. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, installPackages, root, run } from './prepare.mjs';

const DEBIAN_PEERS = ['supervisor', 's6', 'conmon', 'tmux', 'containerd', 'runc'];

await installPackages();
await build();
if (process.argv.includes('--install-peers')) run('apt-get', ['install', '-y', ...DEBIAN_PEERS]);

// Measure a copy, so that a build in the meantime does not disturb the run.
const cache = join(root, 'node_modules/.cache/bench');
rmSync(cache, { recursive: true, force: true });
cpSync(join(root, 'bin'), join(cache, 'bin'), { recursive: true });
cpSync(join(root, 'package.json'), join(cache, 'package.json'));
const status = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'bench']);
if (status !== 0) process.exit(status);
await import(pathToFileURL(join(cache, 'bench/main.js')).href);
