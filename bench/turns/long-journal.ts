/** Sessions with journals of very different length on one host: how soon one is shown, and how soon it goes on. */
import { systemClock } from '../../src/clock/system.js';
import { MessageId, SessionId, TurnId } from '../../src/contract/ids.js';
import type { EntryBody } from '../../src/contract/journal.js';
import { newSession as emptyMailbox } from '../../src/domain/mailbox.js';
import type { NewEntry } from '../../src/store.js';
import { SqliteStore } from '../../src/store/sqlite/store.js';
import { median } from '../numbers.js';
import { nowMs } from '../peer.js';
import { rouse, type RouseField } from '../rouse.js';
import { onStage } from '../stage.js';
import { Feed } from './feed.js';
import { turnMs } from './talk.js';

type Journal = { readonly id: SessionId; readonly entries: number; readonly compacted: boolean };

const SHORT: Journal = { id: SessionId.parse('ses_short0000000000'), entries: 100, compacted: true };
const long = (entries: number): Journal => ({ id: SessionId.parse('ses_long00000000000'), entries, compacted: true });
const whole = (entries: number): Journal => ({ id: SessionId.parse('ses_whole0000000000'), entries, compacted: false });

type Pace = { readonly openMs: number; readonly continueMs: number };
export type LongJournal = {
  readonly short: Pace;
  readonly long: Pace;
  /** Never compacted before: its first turn does that, and the others have it behind them. */
  readonly whole: Pace & { readonly firstMs: number };
};

export const longJournal = (entries: number, rounds: number): Promise<LongJournal> => {
  const journals = [SHORT, long(entries), whole(entries)];
  return onStage(rouse({ fill: (database) => fill(database, journals) }), 0, async ({ field }) => {
    using feed = await Feed.of(field);
    const firstMs = await Promise.all(journals.map(({ id }) => turnMs(field, feed, id)));
    const paces = journals.map(({ id }) => ({ id, opened: [] as number[], continued: [] as number[] }));
    for (let round = 0; round < rounds; round++)
      for (const { id, opened, continued } of paces) {
        opened.push(await openMs(field, id));
        continued.push(await turnMs(field, feed, id));
      }
    const pace = (index: number): Pace => ({
      openMs: median(paces[index]?.opened ?? []),
      continueMs: median(paces[index]?.continued ?? []),
    });
    return { short: pace(0), long: pace(1), whole: { ...pace(2), firstMs: firstMs[2] ?? Number.NaN } };
  });
};

/** As many entries of each as the short one has: what is compared is the journal behind them. */
async function openMs(field: RouseField, session: string): Promise<number> {
  const before = nowMs();
  await field.ask('GET', `/api/sessions/${session}?entries=${SHORT.entries}`);
  return nowMs() - before;
}

const AT_ONCE = 5_000;
const TURN = TurnId.parse('turn_bench00000000000');
const MESSAGE = MessageId.parse('msg_bench00000000000');

/** What a person and an agent say in a turn, in a few sentences each. */
const TURN_OF_ENTRIES: readonly EntryBody[] = [
  { kind: 'turnBegan', generation: 1, by: 'person', model: 'rehearsal' },
  { kind: 'message', message: MESSAGE, text: 'Look at the build, please. '.repeat(8), mode: 'queue', from: 'person' },
  { kind: 'text', text: 'The build is as it was; nothing has failed since. '.repeat(8) },
  { kind: 'turnEnded', reason: 'finished', usage: { inputTokens: 100, outputTokens: 100 } },
];

async function fill(database: string, journals: readonly Journal[]): Promise<void> {
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
  const bodies = (count: number): NewEntry[] =>
    Array.from({ length: count }, (_, index) => ({ turn: TURN, at, body: TURN_OF_ENTRIES[index % 4] ?? SUMMARY(0) }));
  for (let written = 0; written < entries; written += AT_ONCE)
    await store.transact(({ journal }) => journal.append(id, bodies(Math.min(AT_ONCE, entries - written))));
  if (!compacted) return;
  const upTo = await store.head();
  await store.transact(async ({ journal, sessions }) => {
    await journal.append(id, [{ turn: TURN, at, body: SUMMARY(upTo) }]);
    await sessions.update(id, { contextFrom: upTo + 1 });
  });
}

const SUMMARY = (upTo: number): EntryBody => ({ kind: 'compaction', upTo, summary: 'The build was looked at.' });
