/** How a process ended, in words and as an exit status. */
import { constants } from 'node:os';
import type { End, ProcessView } from '../../contract/process.js';
import { NO_STATUS, TIMED_OUT } from '../command.js';
import { durationInWords, endInWords, printable } from '../../contract/display.js';

const SIGNALLED = 128;

/** For the help of commands that end with the status of a process. */
export const STATUSES = `
Exit status: that of the process; 128 + N when signal N ended it; ${TIMED_OUT} when the time was up and it still runs;
${NO_STATUS} when its status is unknown: no such process, a refused start, no host, or the process is lost.`;

/** What a shell would make of it; of a process without an end nothing is known. */
export function statusOf(end: End | undefined): number {
  switch (end?.kind) {
    case 'exited':
      return end.code;
    case 'signalled':
      return SIGNALLED + signalNumber(end.signal);
    case 'lost':
    case undefined:
      return NO_STATUS;
  }
}

/** As it stands in a table, where there is no room for why: `exit 3`, `SIGKILL by person`, `lost`. */
export const ending = (end: End): string => (end.kind === 'lost' ? 'lost' : endInWords(end));

/** As a sentence. */
export function endingSentence(process: ProcessView): string {
  const { id, end, startedAt, endedAt } = process;
  if (!end) return `${id} is still running.`;
  if (end.kind === 'lost') return `${id} is lost: ${printable(end.why)}.`;
  const tookMs = Date.parse(endedAt ?? startedAt) - Date.parse(startedAt);
  return `${id} ended with ${ending(end)} after ${durationInWords(tookMs)}.`;
}

/** A signal without a name comes as `signal 34`. */
const signalNumber = (signal: string): number =>
  new Map<string, number>(Object.entries(constants.signals)).get(signal) ?? Number(/\d+$/.exec(signal)?.[0] ?? 0);
