/** Notices in tables: the same queries for every database. */
import { sql, type Kysely, type Selectable } from 'kysely';
import { NoticeId, ProcessId, SessionId } from '../contract/ids.js';
import { Cause } from '../contract/notice.js';
import type { Instant } from '../domain/process/process.js';
import type { Standing } from '../domain/notice/settle.js';
import type { NoticeFilter, NoticeReader, NoticeRecord, NoticeWriter, Numbered } from '../ports/store.js';
import { idsBeginningWith } from './beginning.js';
import { nextNumber } from './counters.js';
import type { NoticeTable, Schema } from './schema.js';
import type { Statements } from './statements.js';

type Row = Selectable<NoticeTable>;

const LIST_LIMIT = 1_000;

export class NoticeQueries implements NoticeReader {
  constructor(
    protected readonly db: Kysely<Schema>,
    protected readonly statements: Statements,
  ) {}

  async get(id: NoticeId): Promise<Numbered<NoticeRecord> | undefined> {
    const { rows } = await this.statements.run('notice', [id], () =>
      this.db.selectFrom('notices').selectAll().where('id', '=', id).compile(),
    );
    return rows[0] && toRecord(rows[0]);
  }

  async byKey(session: SessionId, key: string): Promise<Numbered<NoticeRecord> | undefined> {
    const row = await this.db
      .selectFrom('notices')
      .selectAll()
      .where('session', '=', session)
      .where('key', '=', key)
      .executeTakeFirst();
    return row && toRecord(row);
  }

  async list({ session, process, state, limit = LIST_LIMIT }: NoticeFilter = {}) {
    let query = this.db.selectFrom('notices').selectAll().orderBy('admitted', 'desc').limit(limit);
    if (session) query = query.where('session', '=', session);
    if (process) query = query.where('process', '=', process);
    if (state) query = query.where('state', '=', state);
    return (await query.execute()).map(toRecord);
  }

  async beginningWith(beginning: string, limit: number): Promise<readonly NoticeId[]> {
    return (await idsBeginningWith(this.db, 'notices', beginning, limit)).map((id) => NoticeId.parse(id));
  }

  async changedAfter(seq: number, limit: number, session?: SessionId): Promise<readonly Numbered<NoticeRecord>[]> {
    const changed = () => this.db.selectFrom('notices').selectAll().where('seq', '>', seq).orderBy('seq').limit(limit);
    const { rows } = await (session
      ? this.statements.run('changed notices of a session', [seq, session, limit], () =>
          changed().where('session', '=', session).compile(),
        )
      : this.statements.run('changed notices', [seq, limit], () => changed().compile()));
    return rows.map(toRecord);
  }

  async due(session: SessionId, now: Instant, limit: number, latest = Number.MAX_SAFE_INTEGER) {
    const { rows } = await this.statements.run('due notices', [session, now, latest, limit], () =>
      this.#pending(session)
        .selectAll()
        .where((is) => is.or([is('due_at', '<=', now), is('due_at', '>', latest)]))
        .orderBy('admitted')
        .limit(limit)
        .compile(),
    );
    return rows.map(toRecord);
  }

  async nextDueAt(session: SessionId): Promise<Instant | undefined> {
    const row = await this.#pending(session)
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
    const { rows } = await this.statements.run('notices owed', [session], () =>
      this.#pending(session)
        .select((of) => of.fn.countAll<number>().as('count'))
        .compile(),
    );
    return rows[0]?.count ?? 0;
  }

  async owing(processes: readonly ProcessId[]): Promise<ReadonlySet<ProcessId>> {
    if (processes.length === 0) return new Set();
    const rows = await this.db
      .selectFrom('notices')
      .select('process')
      .distinct()
      .where('state', '=', PENDING)
      .where('process', 'is not', null)
      .execute();
    const owing = new Set(rows.map(({ process }) => process));
    return new Set(processes.filter((id) => owing.has(id)));
  }

  #pending(session: SessionId) {
    return this.db.selectFrom('notices').where('session', '=', session).where('state', '=', PENDING);
  }
}

export class NoticeCommands extends NoticeQueries implements NoticeWriter {
  async admit(notice: NoticeRecord): Promise<'admitted' | 'duplicate'> {
    const seq = await nextNumber(this.statements, 'journal');
    const row = { ...toRow(notice), seq, admitted: seq };
    const { changed } = await this.statements.run('admit notice', Object.values(row), () =>
      this.db
        .insertInto('notices')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .compile(),
    );
    return changed === 1 ? 'admitted' : 'duplicate';
  }

  async update(id: NoticeId, standing: Standing): Promise<boolean> {
    const columns = { seq: await nextNumber(this.statements, 'journal'), ...standingColumns(standing) };
    const { changed } = await this.statements.run('update notice', [...Object.values(columns), id], () =>
      this.db.updateTable('notices').set(columns).where('id', '=', id).compile(),
    );
    return changed === 1;
  }
}

/** Written into the statement, not handed to it: only so is the index of what is pending used. */
const PENDING = sql.lit('pending');

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
