/**
 * `npm test`: installs what the tests need, checks, runs every test, and ends with one line that counts them.
 * A name or a folder given to it runs only those tests, without installing or checking anything.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, installPackages, root, run, step } from './prepare.mjs';

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

/** Runs vitest; returns what its report counted, or nothing when it did not come to an end. */
function runTests(only) {
  const folder = mkdtempSync(join(tmpdir(), 'rouse-report-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', `--reporter=${join(root, 'tools/test-report.mjs')}`];
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const status = run(process.execPath, [vitest, 'run', ...reporters, ...only], {
    env: { ...process.env, TEST_REPORT: report },
  });
  const counted = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
  rmSync(folder, { recursive: true });
  return { status, counted };
}

const SLOWEST = 25;

function showTimes(files) {
  const seconds = (ms) => `${(ms / 1_000).toFixed(1).padStart(7)} s`;
  console.log(`The slowest of ${files.length} test files:`);
  for (const { name, ms } of files.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST))
    console.log(`${seconds(ms)}  ${name}`);
  console.log(`${seconds(files.reduce((sum, { ms }) => sum + ms, 0))}  in all files together`);
}

const only = process.argv.slice(2);
await installPackages();
await build();
let checked = 0;
if (only.length === 0) {
  installPrograms();
  checked = await step('Checking types, lint and format', 'npm', ['run', '--silent', 'check']);
}

const { status, counted } = runTests(only);
if (checked !== 0) console.error('npm run check found something; see above.');
if (!counted) console.error('The tests did not come to an end.');
for (const name of counted?.repeated ?? []) console.error(`Repeated, and so failed: ${name}`);
if (counted) showTimes(counted.files);
const { passed = 0, skipped = 0 } = counted ?? {};
// A run that failed without a failed test, and a failed check, are failures too.
const failed = (counted?.failed || (status === 0 ? 0 : 1)) + (checked === 0 ? 0 : 1);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
