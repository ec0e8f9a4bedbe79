/** What every store must know of what people have not seen. */
import { describe, expect, test } from 'vitest';
import { QuestionId } from '../../src/contract/ids.js';
import type { EntryBody } from '../../src/contract/journal.js';
import type { Store } from '../../src/ports/store.js';
import type { OpenStore } from './conformance.js';
import { sessionId, sessionOf } from './notice-conformance.js';

const [mine, other] = [sessionId('s'), sessionId('t')];

const text = (words: string): EntryBody => ({ kind: 'text', text: words });
const question: EntryBody = {
  kind: 'question',
  question: QuestionId.parse('qst_000000000001'),
  text: 'Deploy?',
  about: { kind: 'clarify' },
};
const UNSAID: readonly EntryBody[] = [
  { kind: 'text', text: 'NOTHING_TO_SAY', silent: true },
  { kind: 'text', text: '' },
  { kind: 'reasoning', text: 'hm' },
  { kind: 'turnEnded', reason: 'finished' },
];

export function unreadConformance(database: string, { open }: OpenStore): void {
  const write = (store: Store, session: typeof mine, ...bodies: readonly EntryBody[]) =>
    store.transact(({ journal }) =>
      journal.append(
        session,
        bodies.map((body) => ({ at: 1, body })),
      ),
    );
  const unread = async (store: Store, id: typeof mine) => (await store.sessions.get(id))?.unread;
  const see = (store: Store, seq: number) => store.transact(({ sessions }) => sessions.see(mine, seq));
  const opened = async () => {
    const { store } = await open();
    await store.transact(async ({ sessions }) => {
      for (const id of [mine, other]) await sessions.insert(sessionOf(id));
    });
    return store;
  };

  describe(`what is unread in ${database}`, () => {
    test('counts answers and questions behind what was seen, and nothing that is not said to people', async () => {
      const store = await opened();
      await write(store, mine, text('a'), ...UNSAID, question);
      await write(store, other, ...UNSAID);
      await write(store, mine, text('b'), text('c'));
      expect([await unread(store, mine), await unread(store, other)]).toEqual([4, 0]);
    });

    test('raises what was seen and never lowers it, without a number and without a change of the session', async () => {
      const store = await opened();
      const [first] = await write(store, mine, text('a'), text('b'));
      const before = { head: await store.head(), session: await store.sessions.get(mine) };
      const seenSeq = first?.seq ?? 0;
      await see(store, seenSeq);
      await see(store, seenSeq - 1);
      expect(await store.head()).toBe(before.head);
      expect(await store.sessions.get(mine)).toEqual({ ...before.session, seenSeq, unread: 1 });
      await write(store, mine, text('c'));
      expect(await unread(store, mine)).toBe(2);
    });

    test('keeps a session without a title as one without', async () => {
      const { store } = await open();
      const { title: _, ...untitled } = sessionOf(mine);
      await store.transact(({ sessions }) => sessions.insert(untitled));
      expect(await store.sessions.get(mine)).toEqual({ ...untitled, seq: 1 });
    });
  });
}
