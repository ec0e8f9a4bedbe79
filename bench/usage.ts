/** What processes cost, as the kernel counts it. */
import { readdirSync, readFileSync } from 'node:fs';
import { sum } from './numbers.js';

/** Shared pages are divided by those who share them, so that the parts add up. */
export const pssKb = (pids: readonly number[]): number => sum(pids.map(pssOf));

function pssOf(pid: number): number {
  const [, kb] = /^Pss:\s+(\d+) kB/m.exec(text(`/proc/${pid}/smaps_rollup`)) ?? [];
  return Number(kb ?? 0);
}

/** Time on a core since birth, threads included. */
export const cpuMs = (pids: readonly number[]): number =>
  sum(pids.flatMap((pid) => threadsOf(pid).map((thread) => ranMs(`/proc/${pid}/task/${thread}/schedstat`))));

const ranMs = (path: string): number => Number(text(path).split(' ')[0] || 0) / 1e6;

export const childrenOf = (pid: number): number[] =>
  text(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);

/** How much of the machine's time others on the same hardware took, since `before`; figures mean little above a few percent. */
export function stolenPercent(before: readonly number[]): number {
  const spent = machineTicks().map((ticks, index) => ticks - (before[index] ?? 0));
  return ((spent[STEAL] ?? 0) / Math.max(1, sum(spent))) * 100;
}

const STEAL = 7;

export const machineTicks = (): number[] =>
  (text('/proc/stat').split('\n')[0] ?? '').trim().split(/\s+/).slice(1, 9).map(Number);

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    // ENOENT: it has ended.
    return [];
  }
}

function text(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // ENOENT, ESRCH: it has ended.
    return '';
  }
}
