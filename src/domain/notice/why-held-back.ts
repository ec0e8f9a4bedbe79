/** Which matches of a process wait to be reported, what holds them back, and until when (N14). */
import { called } from '../../contract/cause-line.js';
import type { ProcessId, SessionId } from '../../contract/ids.js';
import type { Instant } from '../process/process.js';
import type { Watch } from './watch.js';

export type Watched = {
  readonly id: ProcessId;
  readonly command: string;
  readonly name?: string | undefined;
  readonly session?: SessionId | undefined;
};

type Times = { readonly silentUntil: Instant | undefined; readonly time: (at: Instant) => string };

export function whyHeldBack(process: Watched, watch: Watch | undefined, { silentUntil, time }: Times): string[] {
  if (!watch || watch.kind === 'ended' || !watch.held) return [];
  const { count, silenced } = watch.held;
  const matches = `${count === 1 ? '1 match' : `${count} matches`} of \`${called(process)}\` (${process.id})`;
  if (!silenced)
    return [`Held back because of the last notice: ${matches}. The next notice, or the end, reports the count (W2).`];
  const until = silentUntil === undefined ? 'and about to be reported' : `until ${time(silentUntil)}`;
  return [`Held back by the breaker ${until}: ${matches}. Then session ${process.session} is notified (W5).`];
}
