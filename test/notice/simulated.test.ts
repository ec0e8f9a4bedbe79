/** A process that goes wild, on a clock of our own: what is owed to its session, from the first line to the end. */
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { NoticeId } from '../../src/contract/ids.js';
import { redactor } from '../../src/domain/output/redaction.js';
import type { Tell } from '../../src/runtime/events.js';
import { Ledger, type Actor } from '../../src/runtime/process/ledger.js';
import { MatchNotices } from '../../src/runtime/process/match-notices.js';
import { News } from '../../src/runtime/listeners.js';
import { Notices } from '../../src/runtime/notice/notices.js';
import { Places } from '../../src/runtime/output/places.js';
import { StoreFault, type ProcessRecord } from '../../src/ports/store.js';
import { SqliteStore } from '../../src/store/sqlite/store.js';
import { FakeClock } from '../agent/fake-clock.js';
import { completion, sessionId } from '../domain/causes.js';
import { processId, recordOf } from '../store/conformance.js';
import { sessionOf } from '../store/notice-conformance.js';
import { newFolder } from '../support/clean-up.js';
import { until } from '../support/until.js';

const FIGURES = {
  watch: { cooldownMs: 15_000, strikes: 3 },
  breaker: { max: 15, windowMs: 10_000, silenceMs: 30_000 },
};

async function scene(figures = FIGURES, tell: Tell = () => undefined) {
  const clock = new FakeClock();
  const store = await SqliteStore.open(join(newFolder(), 'rouse.db'), clock);
  let made = 0;
  const newId = () => NoticeId.parse(`ntc_${String(made++).padStart(12, '0')}`);
  const notices = new Notices({ store, clock, newId, news: new News(), tell: () => undefined });
  const actor: Actor = {
    endOf: async ({ id, session, notifyOnComplete }: ProcessRecord, lifecycle) => ({
      change: { lifecycle },
      owes: session && notifyOnComplete ? [{ session, process: id, number: 0, cause: completion() }] : [],
    }),
    perform: () => undefined,
  };
  const surroundings = { store, places: new Places([]), notices, redactor: redactor([]), clock, tell };
  const ledger: Ledger = new Ledger(surroundings, actor);
  const matches = new MatchNotices(surroundings, () => ledger, figures);
  const record = recordOf(processId('a'), { session: sessionId, watchPatterns: ['ERROR'], notifyOnComplete: false });
  await store.transact(async (t) => {
    await t.sessions.insert(sessionOf(sessionId));
    await t.processes.insert(record);
  });
  ledger.open(record);
  return { clock, store, ledger, matches, id: record.id };
}

const lineAt = (number: number) => ({
  found: { match: { pattern: 'ERROR', text: 'ERROR', number }, more: 0 },
  mark: { position: number + 6, line: number + 6, reported: false },
});

test('W2 W3 N1 a minute of ERROR every 10 ms is told once a window, disabled in the third, and ends once', async () => {
  const { clock, store, ledger, matches, id } = await scene();
  for (let line = 0; line < 6_000; line++) {
    await matches.report(id, lineAt(line * 6));
    clock.advance(10);
  }
  await ledger.apply(id, { kind: 'exited', record: { kind: 'exited', code: 1 }, at: clock.now() });
  const owed = (await store.notices.list({ session: sessionId })).toReversed();
  expect(owed.map(({ at, cause }) => [at, cause.kind, 'heldBack' in cause ? cause.heldBack : undefined])).toEqual([
    [0, 'watch_match', 0],
    [15_000, 'watch_match', 1_499],
    [30_000, 'watch_match', 1_499],
    [30_010, 'watch_disabled', 1],
    [60_000, 'completion', 0],
  ]);
  await matches.stop();
  await store.close();
});

test('7 W5 the end of a silence that could not be stored is tried again after a while, and what it held back comes once', async () => {
  const figures = { watch: { cooldownMs: 100, strikes: 3 }, breaker: { max: 1, windowMs: 60_000, silenceMs: 5_000 } };
  const faults: unknown[] = [];
  const { clock, store, matches, id } = await scene(figures, (event) => event.kind === 'fault' && faults.push(event));
  await matches.report(id, lineAt(0));
  clock.advance(200);
  await matches.report(id, lineAt(6));
  vi.spyOn(store, 'transact').mockRejectedValueOnce(new StoreFault('There is no room.'));
  expect(await clock.ringNext()).toBe(5_200);
  expect(await clock.nextAlarm()).toBe(6_200);
  expect(faults).toHaveLength(1);
  await clock.ringNext();
  const owed = await until('it is told', async () => {
    const notices = (await store.notices.list({ session: sessionId })).toReversed();
    return notices.length > 3 && notices;
  });
  expect(owed.map(({ cause }) => cause.kind)).toEqual([
    'watch_match',
    'watch_overflow_tripped',
    'watch_overflow_released',
    'watch_match',
  ]);
  await matches.stop();
  await store.close();
});
