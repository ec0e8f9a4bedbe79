/** Delivery on a clock and with a courier of our own, over a real store. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NoticeId } from '../../src/contract/ids.js';
import type { Handover } from '../../src/ports/courier.js';
import { Delivery } from '../../src/runtime/notice/delivery.js';
import { News } from '../../src/runtime/listeners.js';
import { Notices } from '../../src/runtime/notice/notices.js';
import { StoreFault, type Store } from '../../src/ports/store.js';
import { SqliteStore } from '../../src/store/sqlite/store.js';
import { FakeClock } from '../agent/fake-clock.js';
import { sessionId } from '../domain/causes.js';
import { sessionOf } from '../store/notice-conformance.js';
import { allowed } from '../support/allowed.js';
import { newFolder, onCleanUp } from '../support/clean-up.js';
import { until } from '../support/until.js';

const DAY = 86_400_000;
const FIGURES = { attempts: 8, firstRetryMs: 1_000, longestRetryMs: 600_000 };

/** Alarms go by a steady clock; the one on the wall can be set. */
class WallClock extends FakeClock {
  offsetMs = DAY;

  override now(): number {
    return super.now() + this.offsetMs;
  }
}

async function scene(reply: (carried: number) => Handover, around = (store: Store): Store => store) {
  const clock = new WallClock();
  const sqlite = await SqliteStore.open(join(newFolder(), 'rouse.db'), clock);
  const store = around(sqlite);
  const news = new News();
  let made = 0;
  const newId = () => NoticeId.parse(`ntc_${String(made++).padStart(12, '0')}`);
  const notices = new Notices({ store, clock, newId, news, tell: () => undefined });
  const carried: string[] = [];
  const courier = { carry: async (_: unknown, id: string) => reply(carried.push(id)) };
  const faults: unknown[] = [];
  const tell = (event: { kind: string }) => void (event.kind === 'fault' && faults.push(event));
  const delivery = new Delivery({
    store,
    notices,
    courier,
    news,
    clock,
    figures: FIGURES,
    bodyOf: async () => ({}),
    tell,
  });
  await sqlite.transact((t) => t.sessions.insert(sessionOf(sessionId, { webhook: { url: 'http://x', secret: 's' } })));
  await delivery.start();
  onCleanUp(async () => {
    await delivery.stop();
    await sqlite.close();
  });
  const stateOf = async (id: NoticeId) => (await sqlite.notices.get(id))?.standing;
  return { clock, notices, carried, faults, stateOf };
}

const accepted: Handover = { kind: 'accepted' };
const refused: Handover = { kind: 'refused', why: 'it answered 500' };

test.each([-DAY, DAY])('14 N11 tries again within the longest pause, though the clock was set by %i ms', async (ms) => {
  const { clock, notices, carried, stateOf } = await scene((attempt) => (attempt === 1 ? refused : accepted));
  const { notice } = allowed(await notices.add(sessionId, 'deployed', { from: 'ci' }));
  expect(await clock.nextAlarm()).toBe(FIGURES.firstRetryMs);
  clock.offsetMs += ms;
  clock.advance(FIGURES.longestRetryMs);
  await until('it is delivered', async () => (await stateOf(notice.id))?.kind === 'settled');
  expect(carried).toEqual([notice.id, notice.id]);
});

test('7 N7 goes on by itself when the store can be written again, under the same id', async () => {
  let failing = false;
  const around = (store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        if (name === 'transact' && failing) return () => Promise.reject(new StoreFault('There is no room.'));
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  const { clock, notices, carried, faults, stateOf } = await scene(() => {
    failing = carried.length < 3;
    return accepted;
  }, around);
  const { notice } = allowed(await notices.add(sessionId, 'deployed', { from: 'ci' }));
  await clock.ringNext();
  await clock.ringNext();
  await until('it is delivered', async () => (await stateOf(notice.id))?.kind === 'settled');
  expect(carried).toEqual([notice.id, notice.id, notice.id]);
  expect(faults).toHaveLength(2);
});

test('N8 a session that moves on is owed nothing any more, however much that was', async () => {
  const { notices } = await scene(() => refused);
  const { store } = notices.parts;
  await store.transact(async (transaction) => {
    for (let count = 0; count < 1_200; count++)
      await notices.admit(transaction, { session: sessionId, cause: { kind: 'message', text: 'x', from: 'ci' } });
  });
  await store.transact((transaction) => notices.suppressAll(transaction, sessionId, 'session moved on', 'person'));
  expect(await store.notices.owed()).toEqual(new Map());
});
