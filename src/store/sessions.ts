/** Sessions in tables: the same queries for every database. */
import { sql } from 'kysely';
import { SessionId } from '../contract/ids.js';
import { AgentPolicy, PeoplePolicy } from '../contract/notice.js';
import { AgentName } from '../contract/session.js';
import type { Mailbox } from '../domain/session/mailbox.js';
import type { Numbered, RunningTurn, SessionChange, SessionRecord, SessionWriter, Webhook } from '../ports/store.js';
import { idsStartingWith, nextNumber, Query, type Database, type Named } from './query.js';
import type { Schema } from './schema.js';

type Row = Schema['sessions'];

const byId = new Query((db, { id }: Named<{ id: string }>) =>
  db.selectFrom('sessions').selectAll().where('id', '=', id),
);

const update = new Query((db, { id, ...columns }: Named<{ id: string } & Partial<Row>>) =>
  db.updateTable('sessions').set(columns).where('id', '=', id),
);

export class Sessions implements SessionWriter {
  constructor(readonly db: Database) {}

  async get(id: SessionId): Promise<Numbered<SessionRecord> | undefined> {
    const row = await byId.first(this.db, { id });
    return row && toRecord(row);
  }

  async byKey(key: string): Promise<Numbered<SessionRecord> | undefined> {
    const row = await this.#all().where('key', '=', key).executeTakeFirst();
    return row && toRecord(row);
  }

  async list(limit = 1_000): Promise<readonly Numbered<SessionRecord>[]> {
    return (await this.#all().orderBy('seq', 'desc').limit(limit).execute()).map(toRecord);
  }

  async startingWith(prefix: string, limit: number): Promise<readonly SessionId[]> {
    return (await idsStartingWith(this.db, 'sessions', prefix, limit)).map((id) => SessionId.parse(id));
  }

  async waiting(): Promise<readonly Numbered<SessionRecord>[]> {
    return (await this.#all().where('waiting', '=', 1).execute()).map(toRecord);
  }

  async running(): Promise<readonly Numbered<SessionRecord>[]> {
    return (await this.#all().where('turn', 'is not', null).execute()).map(toRecord);
  }

  async insert(record: SessionRecord): Promise<'inserted' | 'duplicate'> {
    const { numInsertedOrUpdatedRows } = await this.db
      .insertInto('sessions')
      .values({ ...toRow(record), seq: await nextNumber(this.db, 'journal') })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n ? 'inserted' : 'duplicate';
  }

  async update(id: SessionId, change: SessionChange): Promise<boolean> {
    const { webhook, mailbox, turn, contextFrom, updatedAt, closedAt, ...same } = change;
    return update.changes(this.db, {
      id,
      seq: await nextNumber(this.db, 'journal'),
      ...same,
      ...(webhook !== undefined && { webhook: webhook && JSON.stringify(webhook) }),
      ...(mailbox && mailboxColumns(mailbox)),
      ...(turn !== undefined && { turn: turn && JSON.stringify(turn) }),
      ...(contextFrom !== undefined && { context_from: contextFrom }),
      ...(updatedAt !== undefined && { updated_at: updatedAt }),
      ...(closedAt !== undefined && { closed_at: closedAt }),
    });
  }

  async see(id: SessionId, seq: number): Promise<void> {
    const unread = this.db
      .selectFrom('entries')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('session', '=', id)
      .where('speaks', '=', sql.lit(1))
      .where('seq', '>', seq);
    await this.db
      .updateTable('sessions')
      .set({ seen_seq: seq, unread })
      .where('id', '=', id)
      .where('seen_seq', '<', seq)
      .execute();
  }

  #all() {
    return this.db.selectFrom('sessions').selectAll();
  }
}

const mailboxColumns = (mailbox: Mailbox) => ({
  mailbox: JSON.stringify(mailbox),
  waiting: Number(mailbox.queued.length + mailbox.due.length > 0 || mailbox.unanswered || mailbox.pause !== undefined),
});

const toRow = (record: SessionRecord): Omit<Row, 'seq'> => ({
  id: record.id,
  title: record.title ?? '',
  agent: record.agent,
  model: record.model ?? null,
  key: record.key ?? null,
  people: record.people,
  wakes: record.wakes,
  webhook: record.webhook ? JSON.stringify(record.webhook) : null,
  ...mailboxColumns(record.mailbox),
  turn: record.turn ? JSON.stringify(record.turn) : null,
  context_from: record.contextFrom,
  seen_seq: record.seenSeq,
  unread: record.unread,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
  closed_at: record.closedAt ?? null,
});

const toRecord = (row: Row): Numbered<SessionRecord> => ({
  seq: row.seq,
  id: SessionId.parse(row.id),
  ...(row.title !== '' && { title: row.title }),
  agent: AgentName.parse(row.agent),
  ...(row.model !== null && { model: row.model }),
  ...(row.key !== null && { key: row.key }),
  people: PeoplePolicy.parse(row.people),
  wakes: AgentPolicy.parse(row.wakes),
  ...(row.webhook !== null && { webhook: JSON.parse(row.webhook) as Webhook }),
  mailbox: JSON.parse(row.mailbox) as Mailbox,
  ...(row.turn !== null && { turn: JSON.parse(row.turn) as RunningTurn }),
  contextFrom: row.context_from,
  seenSeq: row.seen_seq,
  unread: row.unread,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  ...(row.closed_at !== null && { closedAt: row.closed_at }),
});
