/**
 * All changes in the order of their numbers: journal entries, and notices as they are admitted and settled. Read from
 * the store, so that a reader that was away misses nothing and gets nothing twice.
 */
import type { SessionId } from '../../contract/ids.js';
import type { Entry } from '../../contract/journal.js';
import type { NoticeRecord, Numbered, Store } from '../../ports/store.js';

export type Change =
  | { readonly kind: 'entry'; readonly seq: number; readonly entry: Entry }
  | { readonly kind: 'notice'; readonly seq: number; readonly notice: Numbered<NoticeRecord> };

/** At most `limit` changes behind a number, and up to which number these are all. */
export async function changesAfter(
  store: Store,
  seq: number,
  limit: number,
  session: SessionId | undefined,
): Promise<{ readonly changes: readonly Change[]; readonly upTo: number }> {
  // What has a number up to here was there before either list was read: only so far do both know everything.
  const head = await store.head();
  const notices = await store.notices.changedAfter(seq, limit, session);
  const entries = await store.journal.after(seq, limit, session);
  const read: readonly Change[] = [
    ...notices.map((notice) => ({ kind: 'notice', seq: notice.seq, notice }) as const),
    ...entries.map((entry) => ({ kind: 'entry', seq: entry.seq, entry }) as const),
  ];
  // A list that is full says nothing about what lies behind its end.
  const known = Math.min(head, horizon(notices, limit), horizon(entries, limit));
  const changes = read
    .filter((change) => change.seq <= known)
    .toSorted((a, b) => a.seq - b.seq)
    .slice(0, limit);
  return { changes, upTo: changes.length < limit ? Math.max(seq, known) : (changes.at(-1)?.seq ?? seq) };
}

const horizon = (read: readonly { readonly seq: number }[], limit: number): number =>
  read.length < limit ? Infinity : (read.at(-1)?.seq ?? Infinity);
