/** The journal in tables: the same queries for every database. */
import type { Kysely, Selectable } from 'kysely';
import { SessionId, TurnId } from '../contract/ids.js';
import { readBody, type Entry } from '../contract/journal.js';
import type { JournalReader, JournalWriter, NewEntry } from '../store.js';
import { nextNumber } from './counters.js';
import type { EntryTable, Schema } from './schema.js';
import type { Statements } from './statements.js';

export class JournalQueries implements JournalReader {
  constructor(protected readonly db: Kysely<Schema>) {}

  async after(session: SessionId, seq: number, limit: number): Promise<readonly Entry[]> {
    const rows = await this.db
      .selectFrom('entries')
      .selectAll()
      .where('session', '=', session)
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(limit)
      .execute();
    return rows.map(toEntry);
  }

  async before(session: SessionId, seq: number, limit: number): Promise<readonly Entry[]> {
    const rows = await this.db
      .selectFrom('entries')
      .selectAll()
      .where('session', '=', session)
      .where('seq', '<', seq)
      .orderBy('seq', 'desc')
      .limit(limit)
      .execute();
    return rows.toReversed().map(toEntry);
  }

  async since(seq: number, limit: number, sessions?: readonly SessionId[]): Promise<readonly Entry[]> {
    let query = this.db.selectFrom('entries').selectAll().where('seq', '>', seq).orderBy('seq').limit(limit);
    if (sessions) query = query.where('session', 'in', [...sessions]);
    return (await query.execute()).map(toEntry);
  }
}

export class JournalCommands extends JournalQueries implements JournalWriter {
  constructor(
    db: Kysely<Schema>,
    readonly statements: Statements,
  ) {
    super(db);
  }

  async append(session: SessionId, entries: readonly NewEntry[]): Promise<readonly Entry[]> {
    const appended: Entry[] = [];
    for (const { turn, at, body } of entries) {
      const seq = await nextNumber(this.statements, 'journal');
      const row = { seq, session, turn: turn ?? null, at, body: JSON.stringify(body) };
      await this.statements.run('append entry', Object.values(row), () =>
        this.db.insertInto('entries').values(row).compile(),
      );
      appended.push({ ...body, seq, session, ...(turn && { turn }), at });
    }
    return appended;
  }
}

const toEntry = ({ seq, session, turn, at, body }: Selectable<EntryTable>): Entry => ({
  ...readBody(JSON.parse(body)),
  seq,
  session: SessionId.parse(session),
  ...(turn !== null && { turn: TurnId.parse(turn) }),
  at,
});
