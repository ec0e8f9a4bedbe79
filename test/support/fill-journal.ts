/** Entries in the journal of a session as a host would have left them, written while none runs. */
import { join } from 'node:path';
import { systemClock } from '../../src/clock/system.js';
import { SessionId, TurnId } from '../../src/contract/ids.js';
import type { EntryBody } from '../../src/contract/journal.js';
import { SqliteStore } from '../../src/store/sqlite/store.js';

const AT_ONCE = 1_000;

/** Answers of an agent, `entry 0` and on. */
export const fillJournal = (home: string, session: string, count: number): Promise<void> =>
  writeJournal(
    home,
    session,
    Array.from({ length: count }, (_, index) => ({ kind: 'text', text: `entry ${index}` })),
  );

/** All of one turn. */
export async function writeJournal(home: string, session: string, bodies: readonly EntryBody[]): Promise<void> {
  const id = SessionId.parse(session);
  const turn = TurnId.parse('turn_0000000000000000');
  const store = await SqliteStore.open(join(home, 'rouse.db'), systemClock);
  for (let from = 0; from < bodies.length; from += AT_ONCE) {
    const entries = bodies.slice(from, from + AT_ONCE).map((body) => ({ turn, at: systemClock.now(), body }));
    await store.transact(({ journal }) => journal.append(id, entries));
  }
  await store.close();
}
