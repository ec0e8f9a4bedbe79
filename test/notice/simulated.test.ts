/** A process that goes wild, on a clock of our own: what is owed to its session, from the first line to the end. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { NoticeId } from '../../src/contract/ids.js';
import { redactor } from '../../src/domain/redaction.js';
import { Ledger } from '../../src/runtime/ledger.js';
import { Matches } from '../../src/runtime/matches.js';
import { News } from '../../src/runtime/news.js';
import { Notices } from '../../src/runtime/notices.js';
import type { ProcessRecord } from '../../src/store.js';
import { SqliteStore } from '../../src/store/sqlite/store.js';
import { FakeClock } from '../agent/fake-clock.js';
import { completion, sessionId } from '../domain/causes.js';
import { processId, recordOf } from '../store/conformance.js';
import { sessionOf } from '../store/notice-conformance.js';

const FIGURES = {
  watch: { cooldownMs: 15_000, strikes: 3 },
  breaker: { max: 15, windowMs: 10_000, silenceMs: 30_000 },
};

const folder = mkdtempSync(join(tmpdir(), 'rouse-test-'));
afterEach(() => rmSync(folder, { recursive: true }));

async function scene() {
  const clock = new FakeClock();
  const store = await SqliteStore.open(join(folder, 'rouse.db'), clock);
  let made = 0;
  const newId = () => NoticeId.parse(`ntc_${String(made++).padStart(12, '0')}`);
  const notices = new Notices(store, clock, newId, new News(), () => undefined);
  const owesFor = async ({ id, session, notifyOnComplete }: ProcessRecord) =>
    session && notifyOnComplete ? [{ session, process: id, number: 0, cause: completion() }] : [];
  const company = { lastFacts: async () => ({}), owesFor, perform: () => undefined };
  const ledger: Ledger = new Ledger(store, notices, clock, () => undefined, company);
  const matches = new Matches(
    store,
    () => ledger,
    notices,
    redactor([]),
    clock,
    FIGURES,
    () => undefined,
  );
  const record = recordOf(processId('a'), { session: sessionId, watchPatterns: ['ERROR'], notifyOnComplete: false });
  await store.transact(async (t) => {
    await t.sessions.insert(sessionOf(sessionId));
    await t.processes.insert(record);
  });
  ledger.open(record);
  return { clock, store, ledger, matches, id: record.id };
}

test('W2 W3 N1 a minute of ERROR every 10 ms is told once a window, disabled in the third, and ends once', async () => {
  const { clock, store, ledger, matches, id } = await scene();
  for (let line = 0; line < 6_000; line++) {
    const mark = { position: (line + 1) * 6, line: (line + 1) * 6, reported: false };
    await matches.report(id, {
      found: { match: { pattern: 'ERROR', text: 'ERROR', number: line * 6 }, more: 0 },
      mark,
    });
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
