/** Before the first test of a run and after the last: builds the program, and fails the run if a process is left. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { commandOf, kill, parentOf, processesWith } from './processes.js';
import { until } from './until.js';

/** In the environment of every process that a test starts, and of what that starts in turn. */
const MARK = 'TEST_RUN';

/** A process that was ended may need a moment to be gone. */
const PATIENCE_MS = 5_000;

/** Tests that start a host of their own run what a user runs: the built program. */
export default function setup(): () => Promise<void> {
  const build = fileURLToPath(new URL('../../tools/build.mjs', import.meta.url));
  execFileSync(process.execPath, [build], { stdio: 'inherit' });
  const run = `${process.pid}-${Date.now()}`;
  process.env[MARK] = run;
  return () => expectNothingLeft(run);
}

async function expectNothingLeft(run: string): Promise<void> {
  const left = () => processesWith(MARK, run).filter((pid) => !isOfVitest(pid));
  const isClean = await until('nothing is left', () => left().length === 0, PATIENCE_MS).catch(() => false);
  if (isClean) return;
  for (const pid of left()) {
    console.error(`A test left process ${pid} running: ${commandOf(pid)}`);
    kill(pid);
  }
  process.exitCode = 1;
}

/** Vitest itself and its workers. */
const isOfVitest = (pid: number): boolean => pid === process.pid || parentOf(pid) === process.pid;
