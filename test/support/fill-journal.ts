/** Entries in the journal of a session as a host would have left them, written while none runs. */
import { join } from 'node:path';
import { systemClock } from '../../src/clock/system.js';
import { SessionId, TurnId } from '../../src/contract/ids.js';
import { SqliteStore } from '../../src/store/sqlite/store.js';

const AT_ONCE = 1_000;

/** Answers of an agent, `entry 0` and on. */
export async function fillJournal(home: string, session: string, count: number): Promise<void> {
  const id = SessionId.parse(session);
  const turn = TurnId.parse('turn_0000000000000000');
  const store = await SqliteStore.open(join(home, 'rouse.db'), systemClock);
  for (let from = 0; from < count; from += AT_ONCE) {
    const entries = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => ({
      turn,
      at: systemClock.now(),
      body: { kind: 'text', text: `entry ${from + index}` } as const,
    }));
    await store.transact(({ journal }) => journal.append(id, entries));
  }
  await store.close();
}
