/** Prepares a checkout: installs the packages and builds, each only if missing or outdated. */
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { licences } from './licences.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) throw error;
  return status ?? 1;
}

const STILL_RUNNING_MS = 10_000;

/** Runs a command and shows on stderr that it runs and for how long: stdout belongs to the program. Returns its status. */
export async function step(name, command, args) {
  const begun = performance.now();
  const show = () => console.error(`${name} … ${Math.round((performance.now() - begun) / 1_000)} s`);
  console.error(`${name} …`);
  const showing = setInterval(show, STILL_RUNNING_MS);
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  clearInterval(showing);
  return status ?? 1;
}

async function must(name, command, args) {
  const status = await step(name, command, args);
  if (status !== 0) process.exit(status);
}

const newest = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((latest, entry) => Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0);

export async function installPackages() {
  refuseOldNode();
  if (areInstalled()) return;
  await must('Installing packages', 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
}

/** An old Node would end in a stack trace. */
function refuseOldNode() {
  const oldest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.replace('>=', '');
  const [major, minor] = oldest.split('.').map(Number);
  const [ourMajor, ourMinor] = process.versions.node.split('.').map(Number);
  if (ourMajor > major || (ourMajor === major && ourMinor >= minor)) return;
  console.error(`Rouse needs Node ${oldest} or later; this is ${process.version}.`);
  process.exit(1);
}

/** Compares versions, not times, because a checkout changes file times. Optional packages may be missing. */
function areInstalled() {
  const stamp = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(stamp)) return false;
  const packagesOf = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;
  const installed = packagesOf(stamp);
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(
    ([path, { version, optional }]) =>
      path === '' || (installed[path] ? installed[path].version === version : optional),
  );
}

/** Builds the library file by file, and the program as a bundle, which starts in a third of the time. */
export async function build() {
  const [dist, bin] = [join(root, 'dist'), join(root, 'bin')];
  const last = join(bin, SCRIPTS.at(-1));
  const sources = [newest(join(root, 'src')), newest(join(root, 'web')), statSync(join(root, 'package.json')).mtimeMs];
  const source = Math.max(...sources);
  if (existsSync(last) && statSync(last).mtimeMs > source) return;
  for (const folder of [dist, bin]) rmSync(folder, { recursive: true, force: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await must('Building the program', process.execPath, [tsc, '-p', 'tsconfig.build.json']);
  await bundle(dist, bin);
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  await must('Building the page', process.execPath, [vite, 'build', 'web', '--logLevel', 'warn']);
  for (const script of SCRIPTS)
    for (const folder of [join(dist, 'place/local'), bin])
      copyFileSync(join(root, 'src/place/local', script), join(folder, script));
}

const SCRIPTS = ['shim.sh', 'launcher.sh'];

async function bundle(dist, bin) {
  const { rolldown } = await import('rolldown');
  const bundled = await rolldown({
    input: { rouse: join(dist, 'rouse.js'), main: join(dist, 'host/main.js') },
    platform: 'node',
    // Not bundled: one contains a binary, and one has a different licence.
    external: ['@photostructure/sqlite', 'web-push'],
    plugins: [licences()],
  });
  await bundled.write({ dir: bin, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
}
