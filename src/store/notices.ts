/** Notices in tables: the same queries for every database. */
import { sql, type RawBuilder } from 'kysely';
import { NoticeId, ProcessId, SessionId } from '../contract/ids.js';
import { Cause } from '../contract/notice.js';
import type { Standing } from '../domain/notice/settle.js';
import type { Instant } from '../domain/process/process.js';
import type { NoticeFilter, NoticeRecord, NoticeWriter, Numbered } from '../ports/store.js';
import { idsStartingWith, nextNumber, Query, type Database, type Named } from './query.js';
import type { Schema } from './schema.js';

type Row = Schema['notices'];

const LIST_LIMIT = 1_000;

/** Part of the text and no parameter, so that the index of pending notices is used. */
const PENDING = sql.lit('pending');

const pending = (db: Database, session: RawBuilder<string> | string) =>
  db.selectFrom('notices').where('session', '=', session).where('state', '=', PENDING);

const byId = new Query((db, { id }: Named<{ id: string }>) =>
  db.selectFrom('notices').selectAll().where('id', '=', id),
);

const changedAfter = new Query(
  (db, { seq, limit, session }: Named<{ seq: number; limit: number; session?: string }>) => {
    const changed = db.selectFrom('notices').selectAll().where('seq', '>', seq).orderBy('seq').limit(limit);
    return session ? changed.where('session', '=', session) : changed;
  },
);

const due = new Query(
  (db, { session, now, latest, limit }: Named<{ session: string; now: number; latest: number; limit: number }>) =>
    pending(db, session)
      .selectAll()
      .where((is) => is.or([is('due_at', '<=', now), is('due_at', '>', latest)]))
      .orderBy('admitted')
      .limit(limit),
);

const countPending = new Query((db, { session }: Named<{ session: string }>) =>
  pending(db, session).select((of) => of.fn.countAll<number>().as('count')),
);

const insert = new Query((db, row: Named<Row>) =>
  db
    .insertInto('notices')
    .values(row)
    .onConflict((conflict) => conflict.doNothing()),
);

const update = new Query((db, { id, ...columns }: Named<Pick<Row, 'id' | 'seq' | 'state' | 'standing' | 'due_at'>>) =>
  db.updateTable('notices').set(columns).where('id', '=', id),
);

export class Notices implements NoticeWriter {
  constructor(readonly db: Database) {}

  async get(id: NoticeId): Promise<Numbered<NoticeRecord> | undefined> {
    const row = await byId.first(this.db, { id });
    return row && toRecord(row);
  }

  async byKey(session: SessionId, key: string): Promise<Numbered<NoticeRecord> | undefined> {
    const notices = this.db.selectFrom('notices').selectAll();
    const row = await notices.where('session', '=', session).where('key', '=', key).executeTakeFirst();
    return row && toRecord(row);
  }

  async list({ session, process, state, limit = LIST_LIMIT }: NoticeFilter = {}) {
    let query = this.db.selectFrom('notices').selectAll().orderBy('admitted', 'desc').limit(limit);
    if (session) query = query.where('session', '=', session);
    if (process) query = query.where('process', '=', process);
    if (state) query = query.where('state', '=', state);
    return (await query.execute()).map(toRecord);
  }

  async startingWith(prefix: string, limit: number): Promise<readonly NoticeId[]> {
    return (await idsStartingWith(this.db, 'notices', prefix, limit)).map((id) => NoticeId.parse(id));
  }

  async changedAfter(seq: number, limit: number, session?: SessionId): Promise<readonly Numbered<NoticeRecord>[]> {
    const values = { seq, limit, ...(session && { session }) };
    return (await changedAfter.all(this.db, values)).map(toRecord);
  }

  async due(session: SessionId, now: Instant, limit: number, latest = Number.MAX_SAFE_INTEGER) {
    return (await due.all(this.db, { session, now, latest, limit })).map(toRecord);
  }

  async nextDueAt(session: SessionId): Promise<Instant | undefined> {
    const row = await pending(this.db, session)
      .select((of) => of.fn.min('due_at').as('next'))
      .executeTakeFirst();
    return row?.next ?? undefined;
  }

  async owed(): Promise<ReadonlyMap<SessionId, number>> {
    const rows = await this.db
      .selectFrom('notices')
      .select(['session', (of) => of.fn.countAll<number>().as('count')])
      .where('state', '=', PENDING)
      .groupBy('session')
      .execute();
    return new Map(rows.map(({ session, count }) => [SessionId.parse(session), count]));
  }

  async owedTo(session: SessionId): Promise<number> {
    return (await countPending.first(this.db, { session }))?.count ?? 0;
  }

  async owing(processes: readonly ProcessId[]): Promise<ReadonlySet<ProcessId>> {
    if (processes.length === 0) return new Set();
    const pendingOnes = this.db.selectFrom('notices').select('process').distinct().where('state', '=', PENDING);
    const rows = await pendingOnes.where('process', 'is not', null).execute();
    const owing = new Set(rows.map(({ process }) => process));
    return new Set(processes.filter((id) => owing.has(id)));
  }

  async admit(notice: NoticeRecord): Promise<'admitted' | 'duplicate'> {
    const seq = await nextNumber(this.db, 'journal');
    const row = { ...toRow(notice), seq, admitted: seq };
    return (await insert.changes(this.db, row)) ? 'admitted' : 'duplicate';
  }

  async update(id: NoticeId, standing: Standing): Promise<boolean> {
    const seq = await nextNumber(this.db, 'journal');
    return update.changes(this.db, { id, seq, ...standingColumns(standing) });
  }
}

const standingColumns = (standing: Standing) => ({
  state: standing.kind === 'pending' ? 'pending' : standing.state,
  standing: JSON.stringify(standing),
  due_at: standing.kind === 'pending' ? standing.dueAt : null,
});

const toRow = (notice: NoticeRecord): Omit<Row, 'seq' | 'admitted'> => ({
  id: notice.id,
  kind: notice.cause.kind,
  session: notice.session,
  process: notice.process ?? null,
  number: notice.number ?? null,
  key: notice.key ?? null,
  cause: JSON.stringify(notice.cause),
  at: notice.at,
  ...standingColumns(notice.standing),
});

const toRecord = (row: Row): Numbered<NoticeRecord> => ({
  seq: row.seq,
  id: NoticeId.parse(row.id),
  session: SessionId.parse(row.session),
  ...(row.process !== null && { process: ProcessId.parse(row.process) }),
  ...(row.number !== null && { number: row.number }),
  ...(row.key !== null && { key: row.key }),
  cause: Cause.parse(JSON.parse(row.cause)),
  at: row.at,
  standing: JSON.parse(row.standing) as Standing,
});
