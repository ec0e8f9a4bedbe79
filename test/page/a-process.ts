import { ProcessId } from 'rouse/contract/ids';
import type { ProcessView } from 'rouse/contract/process';

export const processId = (name: string): ProcessId => ProcessId.parse(`proc_${name.padEnd(12, '0')}`);

/** A process that runs, but for what is said otherwise. */
export const aProcess = (name: string, otherwise: Partial<ProcessView> = {}): ProcessView => ({
  id: processId(name),
  command: 'make',
  cwd: '/work',
  place: 'local',
  pty: false,
  state: 'running',
  startedAt: '2026-01-01T00:00:00.000Z',
  notifyOnComplete: false,
  watchPatterns: [],
  outputBytes: 0,
  releasedBytes: 0,
  ...otherwise,
});
