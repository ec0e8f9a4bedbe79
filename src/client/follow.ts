/** What a session says and what sessions are owed, as it grows, across cuts and hosts. */
import type { SessionId } from '../contract/ids.js';
import type { NoticeView } from '../contract/notice.js';
import type { RouseClient } from './client.js';
import type { ScreenEvent } from './screen.js';

/** The journal of a session: first a snapshot, then every event behind its number. */
export async function* followJournal(
  client: RouseClient,
  { session, entries, signal }: { session: SessionId; entries: number; signal: AbortSignal },
): AsyncGenerator<ScreenEvent> {
  while (!signal.aborted) {
    const snapshot = await client.persist(() => client.session(session, { entries }), { signal });
    yield { kind: 'snapshot', ...snapshot };
    for await (const event of client.events({ session, after: snapshot.seq, signal })) {
      yield event;
      // The number belonged to another store: read what this one has.
      if (event.kind === 'reset') break;
    }
  }
}

export type NoticeFilter = { readonly session?: string; readonly process?: string };

/** What is owed, oldest first, and then every change: nothing between the two is left out, and nothing comes twice. */
export async function* followNotices(
  client: RouseClient,
  { filter, limit, signal }: { filter: NoticeFilter; limit: number; signal: AbortSignal },
): AsyncGenerator<NoticeView> {
  let isFirst = true;
  for await (const event of client.events({ session: filter.session, signal })) {
    if (event.kind === 'notice') yield event.notice;
    if (event.kind !== 'heartbeat' || !isFirst) continue;
    // It says where the stream begins: what was admitted since then comes in the stream.
    isFirst = false;
    const owed = await client.persist(() => client.notices({ ...filter, state: 'pending', limit }), { signal });
    for (const notice of owed.toReversed()) if (notice.seq <= event.seq) yield notice;
  }
}
