/** Which processes a list shows, and in which order. */
import type { ProcessId } from 'rouse/contract/ids';
import type { ProcessView } from 'rouse/contract/process';
import { isRunning, describeState } from './process-state';

export type Listing = {
  readonly running: readonly ProcessView[];
  readonly ended: readonly ProcessView[];
  /** How many ended ones were left out. */
  readonly hidden: number;
};

/** Running ones, newest first; then at most `most` ended ones, latest first. */
export function listing(processes: readonly ProcessView[], asked: string, most: number): Listing {
  const found = processes.filter((process) => answers(process, asked));
  const running = found.filter(isRunning).toSorted(newer(({ startedAt }) => startedAt));
  const ended = found
    .filter((process) => !isRunning(process))
    .toSorted(newer(({ endedAt, startedAt }) => endedAt ?? startedAt));
  return { running, ended: ended.slice(0, most), hidden: Math.max(0, ended.length - most) };
}

const newer =
  (moment: (process: ProcessView) => string) =>
  (a: ProcessView, b: ProcessView): number =>
    moment(a) === moment(b) ? (a.id < b.id ? 1 : -1) : moment(a) < moment(b) ? 1 : -1;

/** Every typed word occurs in its name, command, folder, id or state. */
function answers(process: ProcessView, asked: string): boolean {
  const { id, name = '', command, cwd } = process;
  const text = [name, command, cwd, id, describeState(process).words].join('\n').toLowerCase();
  return asked
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The previous or next process of a list; without a current one, the first. */
export function neighbour(
  { running, ended }: Listing,
  from: ProcessId | undefined,
  by: 1 | -1,
): ProcessView | undefined {
  const all = [...running, ...ended];
  const at = all.findIndex(({ id }) => id === from);
  return at < 0 ? all[0] : all[(at + by + all.length) % all.length];
}
