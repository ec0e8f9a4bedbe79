/** People's messages in tables: the same queries for every database. */
import { sql, type Kysely, type Selectable } from 'kysely';
import { MessageId, SessionId } from '../contract/ids.js';
import { Mode } from '../contract/journal.js';
import type { MessageReader, MessageRecord, MessageWriter } from '../ports/store.js';
import { nextNumber } from './counters.js';
import type { MessageTable, Schema } from './schema.js';
import type { Statements } from './statements.js';

export class MessageQueries implements MessageReader {
  constructor(
    protected readonly db: Kysely<Schema>,
    protected readonly statements: Statements,
  ) {}

  async get(id: MessageId): Promise<MessageRecord | undefined> {
    const { rows } = await this.statements.run('message', [id], () =>
      this.db.selectFrom('messages').selectAll().where('id', '=', id).compile(),
    );
    return rows[0] && toRecord(rows[0]);
  }

  async byKey(session: SessionId, key: string): Promise<MessageRecord | undefined> {
    const row = await this.db
      .selectFrom('messages')
      .selectAll()
      .where('session', '=', session)
      .where('key', '=', key)
      .executeTakeFirst();
    return row && toRecord(row);
  }

  async waiting(session: SessionId): Promise<readonly MessageRecord[]> {
    const rows = await this.db
      .selectFrom('messages')
      .selectAll()
      .where('session', '=', session)
      .where('state', '=', sql.lit('waiting'))
      .orderBy('seq')
      .execute();
    return rows.map(toRecord);
  }
}

export class MessageCommands extends MessageQueries implements MessageWriter {
  async insert({ from, key, ...message }: MessageRecord): Promise<'inserted' | 'duplicate'> {
    const { numInsertedOrUpdatedRows } = await this.db
      .insertInto('messages')
      .values({ ...message, seq: await nextNumber(this.statements, 'journal'), sender: from, key: key ?? null })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n ? 'inserted' : 'duplicate';
  }

  async update(id: MessageId, change: Partial<Pick<MessageRecord, 'state' | 'text' | 'mode'>>): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable('messages')
      .set(change)
      .where('id', '=', id)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }
}

const toRecord = ({ id, session, text, mode, sender, key, at, state }: Selectable<MessageTable>): MessageRecord => ({
  id: MessageId.parse(id),
  session: SessionId.parse(session),
  text,
  mode: Mode.parse(mode),
  from: sender,
  ...(key !== null && { key }),
  at,
  state: state as MessageRecord['state'],
});
