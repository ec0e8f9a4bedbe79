import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock/system.js';
import { NoticeId } from '../../src/contract/ids.js';
import { Ledger, type Actor, type Change } from '../../src/runtime/process/ledger.js';
import { News } from '../../src/runtime/listeners.js';
import { redactor } from '../../src/domain/output/redaction.js';
import { Notices } from '../../src/runtime/notice/notices.js';
import { Places } from '../../src/runtime/output/places.js';
import type { ProcessRecord } from '../../src/ports/store.js';
import { SqliteStore } from '../../src/store/sqlite/store.js';
import { processId, recordOf } from '../store/conformance.js';
import { newFolder } from '../support/clean-up.js';

async function scene() {
  const store = await SqliteStore.open(join(newFolder(), 'rouse.db'), systemClock);
  const newId = () => NoticeId.parse('ntc_000000000001');
  const notices = new Notices({ store, clock: systemClock, newId, news: new News(), tell: () => undefined });
  const actor: Actor = { endOf: async (_, lifecycle) => ({ change: { lifecycle } }), perform: () => undefined };
  const places = new Places([]);
  const tell = () => undefined;
  const ledger = new Ledger({ store, places, notices, redactor: redactor([]), clock: systemClock, tell }, actor);
  const record = recordOf(processId('a'));
  await store.transact((t) => t.processes.insert(record));
  ledger.open(record);
  return { store, ledger, id: record.id };
}

test('W6 takes no change of a process whose end came first, even if that is still being stored', async () => {
  const { store, ledger, id } = await scene();
  const decided: string[] = [];
  const decide = (when: string) => (_: ProcessRecord, remember: (change: Change) => Promise<void>) => {
    decided.push(when);
    return remember({ change: { damage: when } });
  };
  const before = ledger.change(id, decide('before'));
  const end = ledger.apply(id, { kind: 'exited', record: { kind: 'exited', code: 0 }, at: 5 });
  const behind = ledger.change(id, decide('behind'));
  await Promise.all([before, end, behind]);
  await ledger.change(id, decide('after'));
  expect(decided).toEqual(['before']);
  expect(await store.processes.get(id)).toMatchObject({ damage: 'before', lifecycle: { kind: 'ended' } });
  await store.close();
});
