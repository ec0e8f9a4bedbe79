/** The journal, and the messages of people that wait to become part of it. */
import { sql } from 'kysely';
import { MessageId, SessionId, TurnId } from '../contract/ids.js';
import { Mode, readBody, speaks, type Entry } from '../contract/journal.js';
import type { JournalWriter, MessageRecord, MessageWriter, NewEntry } from '../ports/store.js';
import { nextNumber, Query, type Database, type Named } from './query.js';
import type { Schema } from './schema.js';

const entriesAfter = new Query(
  (db, { seq, limit, session }: Named<{ seq: number; limit: number; session?: string }>) => {
    const entries = db.selectFrom('entries').selectAll().where('seq', '>', seq).orderBy('seq').limit(limit);
    return session ? entries.where('session', '=', session) : entries;
  },
);

const entriesBefore = new Query(
  (db, { session, seq, limit, after }: Named<{ session: string; seq: number; limit: number; after: number }>) =>
    db
      .selectFrom('entries')
      .selectAll()
      .where('session', '=', session)
      .where('seq', '<', seq)
      .where('seq', '>', after)
      .orderBy('seq', 'desc')
      .limit(limit),
);

const appendEntry = new Query((db, row: Named<Schema['entries']>) => db.insertInto('entries').values(row));

const raiseUnread = new Query((db, { session, by }: Named<{ session: string; by: number }>) =>
  db
    .updateTable('sessions')
    .set((of) => ({ unread: of('unread', '+', by) }))
    .where('id', '=', session),
);

export class Journal implements JournalWriter {
  constructor(readonly db: Database) {}

  async after(seq: number, limit: number, session?: SessionId): Promise<readonly Entry[]> {
    const values = { seq, limit, ...(session && { session }) };
    return (await entriesAfter.all(this.db, values)).map(toEntry);
  }

  async before(session: SessionId, seq: number, limit: number, after = 0): Promise<readonly Entry[]> {
    return (await entriesBefore.all(this.db, { session, seq, limit, after })).toReversed().map(toEntry);
  }

  async append(session: SessionId, entries: readonly NewEntry[]): Promise<readonly Entry[]> {
    const appended: Entry[] = [];
    for (const { turn, at, body } of entries) {
      const seq = await nextNumber(this.db, 'journal');
      const text = JSON.stringify(body);
      const row = { seq, session, turn: turn ?? null, at, body: text, speaks: Number(speaks(body)) };
      await appendEntry.changes(this.db, row);
      appended.push({ ...body, seq, session, ...(turn && { turn }), at });
    }
    // Counted here, so that a list of sessions reads no journal.
    const unread = entries.filter(({ body }) => speaks(body)).length;
    if (unread > 0) await raiseUnread.changes(this.db, { session, by: unread });
    return appended;
  }
}

const toEntry = ({ seq, session, turn, at, body }: Schema['entries']): Entry => ({
  ...readBody(JSON.parse(body)),
  seq,
  session: SessionId.parse(session),
  ...(turn !== null && { turn: TurnId.parse(turn) }),
  at,
});

const messageById = new Query((db, { id }: Named<{ id: string }>) =>
  db.selectFrom('messages').selectAll().where('id', '=', id),
);

export class Messages implements MessageWriter {
  constructor(readonly db: Database) {}

  async get(id: MessageId): Promise<MessageRecord | undefined> {
    const row = await messageById.first(this.db, { id });
    return row && toMessage(row);
  }

  async byKey(session: SessionId, key: string): Promise<MessageRecord | undefined> {
    const row = await this.#of(session).where('key', '=', key).executeTakeFirst();
    return row && toMessage(row);
  }

  async waiting(session: SessionId): Promise<readonly MessageRecord[]> {
    // Part of the text and no parameter, so that the index of waiting messages is used.
    const rows = await this.#of(session).where('state', '=', sql.lit('waiting')).orderBy('seq').execute();
    return rows.map(toMessage);
  }

  async insert({ from, key, ...message }: MessageRecord): Promise<'inserted' | 'duplicate'> {
    const { numInsertedOrUpdatedRows } = await this.db
      .insertInto('messages')
      .values({ ...message, seq: await nextNumber(this.db, 'journal'), sender: from, key: key ?? null })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n ? 'inserted' : 'duplicate';
  }

  async update(id: MessageId, change: Partial<Pick<MessageRecord, 'state' | 'text' | 'mode'>>): Promise<boolean> {
    const update = this.db.updateTable('messages').set(change).where('id', '=', id);
    return (await update.executeTakeFirst()).numUpdatedRows === 1n;
  }

  #of(session: SessionId) {
    return this.db.selectFrom('messages').selectAll().where('session', '=', session);
  }
}

const toMessage = ({ id, session, text, mode, sender, key, at, state }: Schema['messages']): MessageRecord => ({
  id: MessageId.parse(id),
  session: SessionId.parse(session),
  text,
  mode: Mode.parse(mode),
  from: sender,
  ...(key !== null && { key }),
  at,
  state: state as MessageRecord['state'],
});
