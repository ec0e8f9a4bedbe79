/**
 * `npm test`: installs what the tests need, checks, runs every test, and ends with one line that counts them.
 * A name or a folder given to it runs only those tests, without installing or checking anything.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, installPackages, root, run } from './prepare.mjs';

/** Programs that a minimal Debian may lack, by the package that brings them. */
const PROGRAMS = {
  script: 'bsdutils',
  setsid: 'util-linux',
  fallocate: 'util-linux',
  bash: 'bash',
  tmux: 'tmux',
  strace: 'strace',
  chromium: 'chromium',
};

const has = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

function installPrograms() {
  const packages = [...new Set(Object.entries(PROGRAMS).flatMap(([program, name]) => (has(program) ? [] : [name])))];
  if (packages.length === 0) return;
  const sudo = process.getuid() === 0 ? [] : ['sudo'];
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const [command, ...rest] = [...sudo, 'apt-get', ...args];
    if (run(command, rest, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }) !== 0) {
      console.error(`The tests need ${packages.join(', ')}, and apt-get could not install them.`);
      process.exit(1);
    }
  }
}

const only = process.argv.slice(2);
installPackages();
await build();
let checked = 0;
if (only.length === 0) {
  installPrograms();
  checked = run('npm', ['run', '--silent', 'check']);
}

const folder = mkdtempSync(join(tmpdir(), 'rouse-report-'));
const report = join(folder, 'report.json');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const status = run(process.execPath, [
  vitest,
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...only,
]);
const counted = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
rmSync(folder, { recursive: true });

if (checked !== 0) console.error('npm run check found something; see above.');
if (!counted) console.error('The tests did not come to an end.');
const passed = counted?.numPassedTests ?? 0;
const skipped = (counted?.numPendingTests ?? 0) + (counted?.numTodoTests ?? 0);
// A file that cannot be loaded has no tests to count, and a failed check is a failure too.
const failed =
  (counted?.numFailedTests ?? 0) + (status !== 0 && !counted?.numFailedTests ? 1 : 0) + (checked === 0 ? 0 : 1);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
