/** The journal in tables: the same queries for every database. */
import type { Kysely, Selectable } from 'kysely';
import { SessionId, TurnId } from '../contract/ids.js';
import { readBody, speaks, type Entry } from '../contract/journal.js';
import type { JournalReader, JournalWriter, NewEntry } from '../ports/store.js';
import { nextNumber } from './counters.js';
import type { EntryTable, Schema } from './schema.js';
import type { Statements } from './statements.js';

export class JournalQueries implements JournalReader {
  constructor(
    protected readonly db: Kysely<Schema>,
    protected readonly statements: Statements,
  ) {}

  async after(session: SessionId, seq: number, limit: number): Promise<readonly Entry[]> {
    const { rows } = await this.statements.run('entries after', [session, seq, limit], () =>
      this.#of(session).where('seq', '>', seq).orderBy('seq').limit(limit).compile(),
    );
    return rows.map(toEntry);
  }

  async before(session: SessionId, seq: number, limit: number, after = 0): Promise<readonly Entry[]> {
    const { rows } = await this.statements.run('entries before', [session, seq, after, limit], () =>
      this.#of(session).where('seq', '<', seq).where('seq', '>', after).orderBy('seq', 'desc').limit(limit).compile(),
    );
    return rows.toReversed().map(toEntry);
  }

  async since(seq: number, limit: number, sessions?: readonly SessionId[]): Promise<readonly Entry[]> {
    const since = () => this.db.selectFrom('entries').selectAll().where('seq', '>', seq).orderBy('seq').limit(limit);
    const { rows } = await (sessions
      ? this.statements.run(`entries since of ${sessions.length}`, [seq, ...sessions, limit], () =>
          since()
            .where('session', 'in', [...sessions])
            .compile(),
        )
      : this.statements.run('entries since', [seq, limit], () => since().compile()));
    return rows.map(toEntry);
  }

  #of(session: SessionId) {
    return this.db.selectFrom('entries').selectAll().where('session', '=', session);
  }
}

export class JournalCommands extends JournalQueries implements JournalWriter {
  async append(session: SessionId, entries: readonly NewEntry[]): Promise<readonly Entry[]> {
    const appended: Entry[] = [];
    for (const { turn, at, body } of entries) {
      const seq = await nextNumber(this.statements, 'journal');
      const row = { seq, session, turn: turn ?? null, at, body: JSON.stringify(body), speaks: Number(speaks(body)) };
      await this.statements.run('append entry', Object.values(row), () =>
        this.db.insertInto('entries').values(row).compile(),
      );
      appended.push({ ...body, seq, session, ...(turn && { turn }), at });
    }
    await this.#leaveUnread(session, entries.filter(({ body }) => speaks(body)).length);
    return appended;
  }

  /** Counted here, so that a list of sessions looks into no journal. */
  async #leaveUnread(session: SessionId, more: number): Promise<void> {
    if (more === 0) return;
    await this.statements.run('leave unread', [more, session], () =>
      this.db
        .updateTable('sessions')
        .set((of) => ({ unread: of('unread', '+', more) }))
        .where('id', '=', session)
        .compile(),
    );
  }
}

const toEntry = ({ seq, session, turn, at, body }: Selectable<EntryTable>): Entry => ({
  ...readBody(JSON.parse(body)),
  seq,
  session: SessionId.parse(session),
  ...(turn !== null && { turn: TurnId.parse(turn) }),
  at,
});
