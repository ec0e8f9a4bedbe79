/** What every store must do for sessions, notices and the states of single machines. */
import { describe, expect, test } from 'vitest';
import { NoticeId, SessionId } from '../../src/contract/ids.js';
import { newSession } from '../../src/domain/session/mailbox.js';
import { delivered } from '../../src/domain/notice/settle.js';
import type { NoticeRecord, SessionRecord, Store } from '../../src/ports/store.js';
import { completion, match, message } from '../domain/causes.js';
import { processId, recordOf, type OpenStore } from './conformance.js';

export const sessionId = (text: string | number) => SessionId.parse(`ses_${`${text}z`.padEnd(12, '0')}`);
const noticeId = (text: string | number) => NoticeId.parse(`ntc_${`${text}z`.padEnd(12, '0')}`);
const session = sessionId('s');

export const sessionOf = (id: SessionId, more: Partial<SessionRecord> = {}): SessionRecord => ({
  id,
  title: 'Builds',
  agent: 'rouse',
  people: 'all',
  wakes: 'always',
  mailbox: newSession,
  contextFrom: 0,
  seenSeq: 0,
  unread: 0,
  createdAt: 1,
  updatedAt: 1,
  ...more,
});

const noticeOf = (id: string | number, more: Partial<NoticeRecord> = {}): NoticeRecord => ({
  id: noticeId(id),
  session,
  cause: message('deployed'),
  at: 1_000,
  standing: { kind: 'pending', attempts: 0, dueAt: 1_000 },
  ...more,
});

const ofProcess = (id: string | number, more: Partial<NoticeRecord> = {}): NoticeRecord =>
  noticeOf(id, { process: processId('a'), number: 0, cause: completion(), ...more });

export function noticeConformance(database: string, { open }: OpenStore): void {
  const admit = (store: Store, notice: NoticeRecord) => store.transact((t) => t.notices.admit(notice));
  const ids = (notices: readonly NoticeRecord[]) => notices.map(({ id }) => id);

  describe(`notices in ${database}`, () => {
    test('gives back a session as it was put in, and the same one for its key', async () => {
      const { store } = await open();
      const record = sessionOf(session, { key: 'k', model: 'm', webhook: { url: 'http://localhost', secret: 's' } });
      expect(await store.transact((t) => t.sessions.insert(record))).toBe('inserted');
      expect(await store.transact((t) => t.sessions.insert({ ...record, id: sessionId('t') }))).toBe('duplicate');
      expect(await store.sessions.get(session)).toEqual({ ...record, seq: 1 });
      expect(await store.sessions.byKey('k')).toEqual({ ...record, seq: 1 });
      expect(await store.sessions.startingWith('ses_s', 5)).toEqual([session]);
    });

    test('changes what it is told to change of a session, and takes away what is null', async () => {
      const { store } = await open();
      const webhook = { url: 'http://localhost', secret: 's' };
      await store.transact((t) => t.sessions.insert(sessionOf(session, { model: 'm', webhook })));
      const change = { title: 'Tests', model: null, webhook: null, closedAt: 7, contextFrom: 2, updatedAt: 9 } as const;
      expect(await store.transact((t) => t.sessions.update(session, change))).toBe(true);
      expect(await store.sessions.get(session)).toMatchObject({ title: 'Tests', closedAt: 7, contextFrom: 2 });
      expect(await store.sessions.get(session)).not.toHaveProperty('webhook');
      expect(await store.sessions.get(session)).not.toHaveProperty('model');
      expect(await store.transact((t) => t.sessions.update(sessionId('x'), { title: 'y' }))).toBe(false);
    });

    test('N1 gives back a notice as it was admitted', async () => {
      const { store } = await open();
      const notice = ofProcess('a', { key: 'k' });
      expect(await admit(store, notice)).toBe('admitted');
      expect(await store.notices.get(notice.id)).toEqual({ ...notice, seq: 1 });
      expect(await store.notices.byKey(session, 'k')).toEqual({ ...notice, seq: 1 });
    });

    test('N7 admits a fact once, whatever else differs', async () => {
      const { store } = await open();
      await admit(store, ofProcess('a'));
      expect(await admit(store, ofProcess('b', { at: 5, session: sessionId('t') }))).toBe('duplicate');
      expect(await admit(store, ofProcess('c', { number: 1 }))).toBe('admitted');
      expect(await admit(store, ofProcess('d', { cause: match() }))).toBe('admitted');
      expect(await store.notices.list()).toHaveLength(3);
    });

    test('N13 admits a key once for a session, and messages without a key each', async () => {
      const { store } = await open();
      expect(await admit(store, noticeOf('a', { key: 'k' }))).toBe('admitted');
      expect(await admit(store, noticeOf('b', { key: 'k' }))).toBe('duplicate');
      expect(await admit(store, noticeOf('c', { key: 'k', session: sessionId('t') }))).toBe('admitted');
      expect(await admit(store, noticeOf('d'))).toBe('admitted');
      expect(await admit(store, noticeOf('e'))).toBe('admitted');
    });

    test('N7 does not offer a settled notice again', async () => {
      const { store } = await open();
      await admit(store, noticeOf('a'));
      const settled = delivered({ kind: 'pending', attempts: 0, dueAt: 1_000 }, 'webhook', 2_000);
      if (settled === 'settled already') throw new Error('it was pending');
      expect(await store.transact((t) => t.notices.update(noticeId('a'), settled))).toBe(true);
      expect(await store.notices.due(session, 9_000, 10)).toEqual([]);
      expect(await store.notices.nextDueAt(session)).toBeUndefined();
      expect((await store.notices.owed()).size).toBe(0);
      expect(await store.notices.owedTo(session)).toBe(0);
      expect(await store.notices.get(noticeId('a'))).toMatchObject({ standing: settled, seq: 2 });
    });

    test('offers what is due in the order of admission, and says when the next is', async () => {
      const { store } = await open();
      const dueAt = (at: number) => ({ standing: { kind: 'pending', attempts: 1, dueAt: at } as const });
      for (const [id, at] of [
        ['c', 10],
        ['a', 30],
        ['b', 20],
      ] as const)
        await admit(store, noticeOf(id, dueAt(at)));
      expect(ids(await store.notices.due(session, 20, 10))).toEqual([noticeId('c'), noticeId('b')]);
      expect(ids(await store.notices.due(session, 20, 1))).toEqual([noticeId('c')]);
      expect(ids(await store.notices.due(session, 10, 10, 25))).toEqual([noticeId('c'), noticeId('a')]);
      expect(await store.notices.nextDueAt(session)).toBe(10);
      expect(await store.notices.owed()).toEqual(new Map([[session, 3]]));
      expect(await store.notices.owedTo(session)).toBe(3);
    });

    test('lists by session, process and state, the newest first, and what has changed since a number', async () => {
      const { store } = await open();
      await admit(store, noticeOf('a'));
      await admit(store, ofProcess('b'));
      await admit(store, noticeOf('c', { session: sessionId('t') }));
      expect(ids(await store.notices.list())).toEqual([noticeId('c'), noticeId('b'), noticeId('a')]);
      expect(ids(await store.notices.list({ session }))).toEqual([noticeId('b'), noticeId('a')]);
      expect(ids(await store.notices.list({ process: processId('a') }))).toEqual([noticeId('b')]);
      expect(ids(await store.notices.list({ state: 'dead' }))).toEqual([]);
      expect(ids(await store.notices.changedAfter(1, 10))).toEqual([noticeId('b'), noticeId('c')]);
      expect(ids(await store.notices.changedAfter(0, 10, session))).toEqual([noticeId('a'), noticeId('b')]);
      expect(await store.notices.startingWith('ntc_b', 10)).toEqual([noticeId('b')]);
      expect(await store.head()).toBe(3);
    });

    test('N7 forgets a process with its notices, and says which processes still owe', async () => {
      const { store } = await open();
      await store.transact(async (t) => {
        await t.processes.insert(recordOf(processId('a')));
        await t.processes.insert(recordOf(processId('b')));
        await t.notices.admit(ofProcess('a'));
      });
      expect(await store.notices.owing([processId('a'), processId('b')])).toEqual(new Set([processId('a')]));
      await store.transact((t) => t.processes.remove([processId('a')]));
      expect(await store.notices.list()).toEqual([]);
    });

    test('undoes a notice with the transaction of its cause', async () => {
      const { store } = await open();
      const failing = store.transact(async (t) => {
        await t.notices.admit(noticeOf('a'));
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await store.notices.list()).toEqual([]);
    });

    test('W9 keeps the watch of a process and the state of a machine', async () => {
      const { store, name } = await open();
      const watch = {
        state: { kind: 'open', strikes: 1, heldBack: 2 },
        mark: { position: 9, line: 7, reported: true },
      } as const;
      await store.transact(async (t) => {
        await t.processes.insert(recordOf(processId('a'), { watchPatterns: ['x'] }));
        await t.processes.update(processId('a'), { watch, notifyOnComplete: true });
        await t.values.put('breaker', { kind: 'closed', recent: [1] });
        await t.values.put('breaker', { kind: 'closed', recent: [1, 2] });
      });
      await store.close();
      const again = (await open(name)).store;
      expect(await again.processes.get(processId('a'))).toMatchObject({ watch, notifyOnComplete: true });
      expect(await again.values.get('breaker')).toEqual({ kind: 'closed', recent: [1, 2] });
      expect(await again.values.get('other')).toBeUndefined();
    });
  });
}
