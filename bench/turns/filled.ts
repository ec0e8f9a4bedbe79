/** Journals as a host of long standing has them, written while none runs. */
import { systemClock } from '../../src/clock/system.js';
import { MessageId, TurnId, type SessionId } from '../../src/contract/ids.js';
import type { EntryBody } from '../../src/contract/journal.js';
import { newSession as emptyMailbox } from '../../src/domain/session/mailbox.js';
import type { NewEntry } from '../../src/ports/store.js';
import { SqliteStore } from '../../src/store/sqlite/store.js';

export type Journal = { readonly id: SessionId; readonly entries: number; readonly compacted: boolean };

const AT_ONCE = 5_000;
const MESSAGE = MessageId.parse('msg_bench00000000000');

/** What a person and an agent say in a turn, in a few sentences each. */
const TURN_OF_ENTRIES: readonly EntryBody[] = [
  { kind: 'turnBegan', generation: 1, by: 'person', model: 'rehearsal' },
  { kind: 'message', message: MESSAGE, text: 'Look at the build, please. '.repeat(8), mode: 'queue', from: 'person' },
  { kind: 'text', text: 'The build is as it was; nothing has failed since. '.repeat(8) },
  { kind: 'turnEnded', reason: 'finished', usage: { inputTokens: 100, outputTokens: 100 } },
];

export async function fill(database: string, journals: readonly Journal[]): Promise<void> {
  const store = await SqliteStore.open(database, systemClock);
  for (const journal of journals) await write(store, journal);
  await store.close();
}

async function write(store: SqliteStore, { id, entries, compacted }: Journal): Promise<void> {
  const at = systemClock.now();
  const session = { id, title: id, agent: 'rouse', people: 'all', wakes: 'always' } as const;
  await store.transact(({ sessions }) =>
    sessions.insert({
      ...session,
      mailbox: emptyMailbox,
      contextFrom: 0,
      seenSeq: 0,
      unread: 0,
      createdAt: at,
      updatedAt: at,
    }),
  );
  const bodies = (from: number, count: number): NewEntry[] =>
    Array.from({ length: count }, (_, index) => ({
      turn: turnOf(from + index),
      at,
      body: TURN_OF_ENTRIES[index % 4] ?? SUMMARY(0),
    }));
  for (let written = 0; written < entries; written += AT_ONCE)
    await store.transact(({ journal }) => journal.append(id, bodies(written, Math.min(AT_ONCE, entries - written))));
  if (!compacted) return;
  const upTo = await store.head();
  await store.transact(async ({ journal, sessions }) => {
    await journal.append(id, [{ turn: turnOf(entries), at, body: SUMMARY(upTo) }]);
    await sessions.update(id, { contextFrom: upTo + 1 });
  });
}

const turnOf = (entry: number): TurnId => TurnId.parse(`turn_bench${String(Math.floor(entry / 4)).padStart(11, '0')}`);

const SUMMARY = (upTo: number): EntryBody => ({ kind: 'compaction', upTo, summary: 'The build was looked at.' });
