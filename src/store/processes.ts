/** Processes in tables: the same queries for every database. */
import type { Kysely, Selectable } from 'kysely';
import { ProcessId, SessionId } from '../contract/ids.js';
import type { Lifecycle } from '../domain/process.js';
import type {
  ProcessChange,
  ProcessFilter,
  ProcessReader,
  ProcessRecord,
  ProcessWriter,
  WatchRecord,
} from '../store.js';
import { idsBeginningWith } from './beginning.js';
import { nextNumber } from './counters.js';
import type { ProcessTable, Schema } from './schema.js';
import type { Statements } from './statements.js';

type Row = Selectable<ProcessTable>;

export class ProcessQueries implements ProcessReader {
  constructor(
    protected readonly db: Kysely<Schema>,
    protected readonly statements: Statements,
  ) {}

  async get(id: ProcessId): Promise<ProcessRecord | undefined> {
    const { rows } = await this.statements.run('process', [id], () =>
      this.db.selectFrom('processes').selectAll().where('id', '=', id).compile(),
    );
    return rows[0] && toRecord(rows[0]);
  }

  async list({ session, state, limit }: ProcessFilter = {}): Promise<readonly ProcessRecord[]> {
    let query = this.db.selectFrom('processes').selectAll().orderBy('started_at', 'desc').orderBy('id');
    if (session) query = query.where('session', '=', session);
    if (state) query = query.where('state', '=', state);
    if (limit) query = query.limit(limit);
    return (await query.execute()).map(toRecord);
  }

  async beginningWith(beginning: string, limit: number): Promise<readonly ProcessId[]> {
    return (await idsBeginningWith(this.db, 'processes', beginning, limit)).map((id) => ProcessId.parse(id));
  }
}

export class ProcessCommands extends ProcessQueries implements ProcessWriter {
  async insert(record: ProcessRecord): Promise<'inserted' | 'duplicate'> {
    const row = { ...toRow(record), seq: await nextNumber(this.statements, 'processes') };
    const { changed } = await this.statements.run('insert process', Object.values(row), () =>
      this.db
        .insertInto('processes')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .compile(),
    );
    return changed === 1 ? 'inserted' : 'duplicate';
  }

  async update(id: ProcessId, change: ProcessChange): Promise<boolean> {
    const columns = columnsOf(change);
    const names = Object.keys(columns).join();
    if (names === '') return (await this.get(id)) !== undefined;
    const { changed } = await this.statements.run(`update process ${names}`, [...Object.values(columns), id], () =>
      this.db.updateTable('processes').set(columns).where('id', '=', id).compile(),
    );
    return changed === 1;
  }

  async remove(ids: readonly ProcessId[]): Promise<void> {
    if (ids.length === 0) return;
    await this.db
      .deleteFrom('notices')
      .where('process', 'in', [...ids])
      .execute();
    await this.db
      .deleteFrom('processes')
      .where('id', 'in', [...ids])
      .execute();
  }
}

/** One by one and not spread together: it is asked for at every end, between the look and the commit. */
function columnsOf({ lifecycle, released, damage, outputBytes, watch, notifyOnComplete }: ProcessChange): Partial<Row> {
  const columns: Partial<Row> = lifecycle ? lifecycleColumns(lifecycle) : {};
  if (released) Object.assign(columns, { released_from: released.from, released_to: released.to });
  if (damage !== undefined) columns.damage = damage;
  if (outputBytes !== undefined) columns.output_bytes = outputBytes;
  if (watch) columns.watch = JSON.stringify(watch);
  if (notifyOnComplete !== undefined) columns.notify_on_complete = Number(notifyOnComplete);
  return columns;
}

const lifecycleColumns = (lifecycle: Lifecycle) => ({
  state: lifecycle.kind,
  ended_at: lifecycle.kind === 'ended' ? Math.round(lifecycle.endedAt) : null,
  lifecycle: JSON.stringify(lifecycle),
});

const toRow = (record: ProcessRecord): Omit<Row, 'seq'> => ({
  id: record.id,
  session: record.session ?? null,
  name: record.name ?? null,
  command: record.command,
  cwd: record.cwd,
  place: record.place,
  pty: Number(record.pty),
  notify_on_complete: Number(record.notifyOnComplete),
  watch_patterns: JSON.stringify(record.watchPatterns),
  timeout_ms: record.timeoutMs ?? null,
  started_at: record.startedAt,
  ...lifecycleColumns(record.lifecycle),
  released_from: record.released.from,
  released_to: record.released.to,
  damage: record.damage ?? null,
  output_bytes: record.outputBytes ?? null,
  watch: record.watch ? JSON.stringify(record.watch) : null,
  generation: record.generation ?? null,
});

const toRecord = (row: Row): ProcessRecord => ({
  id: ProcessId.parse(row.id),
  ...(row.session !== null && { session: SessionId.parse(row.session) }),
  ...(row.name !== null && { name: row.name }),
  command: row.command,
  cwd: row.cwd,
  place: row.place,
  pty: Boolean(row.pty),
  notifyOnComplete: Boolean(row.notify_on_complete),
  watchPatterns: JSON.parse(row.watch_patterns) as string[],
  ...(row.timeout_ms !== null && { timeoutMs: row.timeout_ms }),
  startedAt: row.started_at,
  lifecycle: JSON.parse(row.lifecycle) as Lifecycle,
  released: { from: row.released_from, to: row.released_to },
  ...(row.damage !== null && { damage: row.damage }),
  ...(row.output_bytes !== null && { outputBytes: row.output_bytes }),
  ...(row.watch !== null && { watch: JSON.parse(row.watch) as WatchRecord }),
  ...(row.generation !== null && { generation: row.generation }),
});
