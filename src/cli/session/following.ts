/**
 * The journal of a session as it grows, whatever becomes of the host meanwhile: first a snapshot, then everything behind
 * its number. The number is ours, not the connection's: another host goes on from there.
 */
import type { SessionId } from '../../contract/ids.js';
import type { ScreenEvent } from '../../client/screen.js';
import type { Line } from '../host/line.js';

export type Following = { readonly session: SessionId; readonly entries: number; readonly signal: AbortSignal };

export async function* followJournal(line: Line, { session, entries, signal }: Following): AsyncGenerator<ScreenEvent> {
  for (let after: number | undefined; !signal.aborted;) {
    try {
      if (after === undefined) {
        const snapshot = await line.client.session(session, { entries });
        yield { kind: 'snapshot', ...snapshot };
        after = snapshot.seq;
      }
      for await (const event of line.client.events({ session, after, signal })) {
        yield event;
        // The number was of another store: what this one has is looked at anew.
        if (event.kind === 'reset') after = undefined;
        if (after === undefined) break;
        if ('seq' in event) after = event.seq;
      }
    } catch (error) {
      if (!signal.aborted) await line.restore(error);
    }
    if (!signal.aborted) yield { kind: 'cut' };
  }
}
