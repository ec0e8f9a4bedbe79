/** What every store must do. A database joins by handing in how it is opened; nothing here knows which one it is. */
import { describe, expect, test } from 'vitest';
import { ProcessId, SessionId } from '../../src/contract/ids.js';
import { nothingReleased } from '../../src/domain/output/quota.js';
import type { ProcessRecord, Store } from '../../src/ports/store.js';

export type OpenStore = {
  /** A new, empty store; the same one again when it is given its name. */
  readonly open: (name?: string) => Promise<{ readonly store: Store; readonly name: string }>;
};

export const processId = (text: string | number): ProcessId => ProcessId.parse(`proc_${`${text}z`.padEnd(12, '0')}`);
const session = SessionId.parse('ses_000000000001');

export const recordOf = (id: ProcessId, more: Partial<ProcessRecord> = {}): ProcessRecord => ({
  id,
  command: 'make',
  cwd: '/tmp',
  place: 'local',
  pty: false,
  notifyOnComplete: false,
  watchPatterns: [],
  startedAt: 1_000,
  lifecycle: { kind: 'starting' },
  released: nothingReleased,
  ...more,
});

export function storeConformance(database: string, { open }: OpenStore): void {
  const insert = (store: Store, record: ProcessRecord) =>
    store.transact((transaction) => transaction.processes.insert(record));

  describe(`a store in ${database}`, () => {
    test('P1 gives back a process as it was put in', async () => {
      const { store } = await open();
      const record = recordOf(processId('a'), {
        session,
        name: 'büild "x"',
        watchPatterns: ['a', 'b'],
        timeoutMs: 5,
        notifyOnComplete: true,
        pty: true,
      });
      expect(await insert(store, record)).toBe('inserted');
      expect(await store.processes.get(record.id)).toEqual(record);
    });

    test('P12 remembers over closing and opening', async () => {
      const first = await open();
      await insert(first.store, recordOf(processId('a')));
      await first.store.close();
      const { store } = await open(first.name);
      expect(await store.processes.get(processId('a'))).toMatchObject({ command: 'make' });
    });

    test('refuses a second process with the same id and leaves the first alone', async () => {
      const { store } = await open();
      await insert(store, recordOf(processId('a')));
      expect(await insert(store, recordOf(processId('a'), { command: 'other' }))).toBe('duplicate');
      expect(await store.processes.get(processId('a'))).toMatchObject({ command: 'make' });
    });

    test('changes what it is told to change, and nothing else', async () => {
      const { store } = await open();
      await insert(store, recordOf(processId('a'), { name: 'n' }));
      const lifecycle = { kind: 'ended', end: { kind: 'exited', code: 3 }, endedAt: 2_000 } as const;
      expect(
        await store.transact((t) =>
          t.processes.update(processId('a'), { lifecycle, outputBytes: 7, released: { from: 1, to: 2 }, damage: 'd' }),
        ),
      ).toBe(true);
      expect(await store.processes.get(processId('a'))).toEqual(
        recordOf(processId('a'), {
          name: 'n',
          lifecycle,
          outputBytes: 7,
          released: { from: 1, to: 2 },
          damage: 'd',
        }),
      );
      expect(await store.transact((t) => t.processes.update(processId('b'), { outputBytes: 1 }))).toBe(false);
    });

    test('undoes all of a transaction that throws, and throws on', async () => {
      const { store } = await open();
      const failing = store.transact(async ({ processes }) => {
        await processes.insert(recordOf(processId('a')));
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await store.processes.get(processId('a'))).toBeUndefined();
      expect(await insert(store, recordOf(processId('a')))).toBe('inserted');
    });

    test('reads its own writes inside a transaction', async () => {
      const { store } = await open();
      const seen = await store.transact(async ({ processes }) => {
        await processes.insert(recordOf(processId('a')));
        return processes.get(processId('a'));
      });
      expect(seen).toMatchObject({ id: processId('a') });
    });

    test('shows nobody else what is not committed, and lets nobody wait for it', async () => {
      const { store } = await open();
      await store.transact(async ({ processes }) => {
        await processes.insert(recordOf(processId('a')));
        expect(await store.processes.get(processId('a'))).toBeUndefined();
      });
      expect(await store.processes.get(processId('a'))).toBeDefined();
    });

    test('lists by session and by state, the newest first', async () => {
      const { store } = await open();
      await insert(store, recordOf(processId('a'), { startedAt: 1, session }));
      await insert(store, recordOf(processId('b'), { startedAt: 2 }));
      await insert(
        store,
        recordOf(processId('c'), {
          startedAt: 3,
          session,
          lifecycle: { kind: 'ended', end: { kind: 'exited', code: 0 }, endedAt: 4 },
        }),
      );
      const ids = async (filter: Parameters<Store['processes']['list']>[0]) =>
        (await store.processes.list(filter)).map((record) => record.id);
      expect(await ids({})).toEqual([processId('c'), processId('b'), processId('a')]);
      expect(await ids({ session })).toEqual([processId('c'), processId('a')]);
      expect(await ids({ state: 'starting' })).toEqual([processId('b'), processId('a')]);
      expect(await ids({ state: 'ended', session })).toEqual([processId('c')]);
      expect(await ids({ limit: 1 })).toEqual([processId('c')]);
    });

    test('P19 finds ids by their beginning', async () => {
      const { store } = await open();
      for (const name of ['ab1', 'ab2', 'b']) await insert(store, recordOf(processId(name)));
      expect(await store.processes.startingWith('proc_ab', 10)).toEqual([processId('ab1'), processId('ab2')]);
      expect(await store.processes.startingWith('proc_ab', 1)).toHaveLength(1);
      expect(await store.processes.startingWith('proc_z', 10)).toEqual([]);
    });

    test('forgets what it is told to forget', async () => {
      const { store } = await open();
      for (const name of ['a', 'b', 'c']) await insert(store, recordOf(processId(name)));
      await store.transact((t) => t.processes.remove([processId('a'), processId('c')]));
      expect((await store.processes.list()).map((record) => record.id)).toEqual([processId('b')]);
    });

    test('never shows a smaller number after a larger one, whatever runs at the same time', async () => {
      const { store } = await open();
      const texts = Array.from({ length: 60 }, (_, index) => `n${index}`);
      const writing = { on: true };
      const seen: number[] = [];
      const reader = (async () => {
        for (let after = 0; writing.on || after < texts.length;) {
          for (const { seq } of await store.journal.after(after, 100)) seen.push(seq);
          after = seen.at(-1) ?? 0;
          await new Promise((later) => setImmediate(later));
        }
      })();
      await Promise.all(
        texts.map((text, index) =>
          store.transact(async ({ journal }) => {
            await journal.append(session, [{ at: index, body: { kind: 'text', text } }]);
            // Some transactions stay open while later ones begin.
            for (let pauses = index % 5; pauses > 0; pauses--) await new Promise((later) => setImmediate(later));
          }),
        ),
      );
      writing.on = false;
      await reader;
      expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    });

    test('finds nothing wrong with itself', async () => {
      const { store } = await open();
      await insert(store, recordOf(processId('a')));
      expect(await store.check()).toEqual([]);
    });
  });
}
