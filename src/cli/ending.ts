/** How a process ended, in words and as an exit status. */
import { constants } from 'node:os';
import type { End, ProcessView } from '../contract/process.js';
import { duration } from './duration.js';
import { oneLine } from './printable.js';

const SIGNALLED = 128;
const LOST = 1;

/** What a shell would make of it. */
export function statusOf(end: End): number {
  switch (end.kind) {
    case 'exited':
      return end.code;
    case 'signalled':
      return SIGNALLED + signalNumber(end.signal);
    case 'lost':
      return LOST;
  }
}

/** As it stands in a table: `exit 3`, `SIGKILL by person`, `lost`. */
export function ending(end: End): string {
  switch (end.kind) {
    case 'exited':
      return `exit ${end.code}`;
    case 'signalled':
      return end.by ? `${end.signal} by ${oneLine(end.by)}` : end.signal;
    case 'lost':
      return 'lost';
  }
}

/** As a sentence. */
export function endingSentence(process: ProcessView): string {
  const { id, end, startedAt, endedAt } = process;
  if (!end) return `${id} still runs.`;
  if (end.kind === 'lost') return `${id} is lost: ${oneLine(end.why)}.`;
  const tookMs = Date.parse(endedAt ?? startedAt) - Date.parse(startedAt);
  return `${id} ended with ${ending(end)} after ${duration(tookMs)}.`;
}

/** A signal without a name comes as `signal 34`. */
const signalNumber = (signal: string): number =>
  new Map<string, number>(Object.entries(constants.signals)).get(signal) ?? Number(/\d+$/.exec(signal)?.[0] ?? 0);
