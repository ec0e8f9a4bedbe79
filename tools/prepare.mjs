/** Brings a fresh checkout to the point where it can run: the packages, then the build, each only when missing or old. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) throw error;
  return status ?? 1;
}

function must(command, args, options) {
  const status = run(command, args, options);
  if (status !== 0) process.exit(status);
}

const newest = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((latest, entry) => Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0);

export function installPackages() {
  const stamp = join(root, 'node_modules/.package-lock.json');
  const stale = !existsSync(stamp) || statSync(stamp).mtimeMs < statSync(join(root, 'package-lock.json')).mtimeMs;
  if (stale)
    must('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
}

export function build() {
  const dist = join(root, 'dist');
  if (
    existsSync(join(dist, 'place/local/launcher.sh')) &&
    newest(dist) > Math.max(newest(join(root, 'src')), statSync(join(root, 'package.json')).mtimeMs)
  )
    return;
  rmSync(dist, { recursive: true, force: true });
  must(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json']);
  for (const script of ['shim.sh', 'launcher.sh'])
    cpSync(join(root, 'src/place/local', script), join(dist, 'place/local', script));
}
