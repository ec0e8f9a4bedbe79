/** The state of a process as a short text and a tone, for the list and the detail view. */
import type { End, ProcessView } from 'rouse/contract/process';
import { endInWords } from 'rouse/contract/display';

export type Tone = 'live' | 'accent' | 'good' | 'trouble';

export type StateDescription = {
  readonly words: string;
  readonly tone: Tone;
  /** Who ended it, if anyone did. */
  readonly by?: string;
  /** Show it as active. */
  readonly moves?: true;
  /** Details for a tooltip. */
  readonly more?: string;
};

export function describeState(process: ProcessView): StateDescription {
  if (process.end) return ended(process.end, process.stop?.by);
  switch (process.state) {
    case 'starting':
      return { words: 'starting', tone: 'live', moves: true };
    case 'running':
      return running(process);
    case 'unreachable':
      return { words: 'unreachable', tone: 'trouble', more: 'Its place does not answer.' };
    case 'ended':
      return { words: 'ended', tone: 'trouble' };
  }
}

function running({ stop, waitingForInput }: ProcessView): StateDescription {
  if (stop) return { words: 'ending', tone: 'accent', moves: true, more: `${stop.signal} by ${stop.by}` };
  return waitingForInput
    ? {
        words: 'waits for input',
        tone: 'accent',
        more: 'It has printed nothing for a while and is waiting to read its input.',
      }
    : { words: 'running', tone: 'live', moves: true };
}

function ended(end: End, stoppedBy: string | undefined): StateDescription {
  switch (end.kind) {
    case 'exited':
      return {
        words: endInWords(end),
        tone: end.code === 0 ? 'good' : 'trouble',
        ...(stoppedBy && { more: `${stoppedBy} asked it to end.` }),
      };
    case 'signalled':
      return { words: end.signal, tone: 'trouble', ...(end.by && { by: end.by }) };
    case 'lost':
      return { words: 'lost', tone: 'trouble', more: end.why };
  }
}

export const isRunning = ({ state }: ProcessView): boolean => state !== 'ended';

/** How long it has run so far, or ran. */
export const ranMs = ({ startedAt, endedAt }: ProcessView, now: number): number =>
  (endedAt ? Date.parse(endedAt) : now) - Date.parse(startedAt);
