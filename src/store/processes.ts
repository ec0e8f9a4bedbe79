/** Processes in tables: the same queries for every database. */
import { ProcessId, SessionId } from '../contract/ids.js';
import type { Lifecycle } from '../domain/process/process.js';
import type {
  DamagedRow,
  ProcessChange,
  ProcessFilter,
  ProcessRecord,
  ProcessWriter,
  WatchRecord,
} from '../ports/store.js';
import { idsStartingWith, nextNumber, Query, type Database, type Named } from './query.js';
import type { Schema } from './schema.js';

type Row = Schema['processes'];

const byId = new Query((db, { id }: Named<{ id: string }>) =>
  db.selectFrom('processes').selectAll().where('id', '=', id),
);

const insert = new Query((db, row: Named<Row>) =>
  db
    .insertInto('processes')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing()),
);

const update = new Query((db, { id, ...columns }: Named<{ id: string } & Partial<Row>>) =>
  db.updateTable('processes').set(columns).where('id', '=', id),
);

export class Processes implements ProcessWriter {
  constructor(readonly db: Database) {}

  async get(id: ProcessId): Promise<ProcessRecord | undefined> {
    return (await byId.all(this.db, { id })).flatMap(readable)[0];
  }

  async list({ session, state, limit }: ProcessFilter = {}): Promise<readonly ProcessRecord[]> {
    let query = this.db.selectFrom('processes').selectAll().orderBy('started_at', 'desc').orderBy('id');
    if (session) query = query.where('session', '=', session);
    if (state) query = query.where('state', '=', state);
    if (limit) query = query.limit(limit);
    return (await query.execute()).flatMap(readable);
  }

  async damaged(): Promise<readonly DamagedRow[]> {
    const rows = await this.db.selectFrom('processes').selectAll().execute();
    return rows.flatMap((row) => {
      const why = damageOf(row);
      return why === undefined ? [] : [{ id: row.id, why }];
    });
  }

  async startingWith(prefix: string, limit: number): Promise<readonly ProcessId[]> {
    return (await idsStartingWith(this.db, 'processes', prefix, limit)).map((id) => ProcessId.parse(id));
  }

  async insert(record: ProcessRecord): Promise<'inserted' | 'duplicate'> {
    const row = { ...toRow(record), seq: await nextNumber(this.db, 'processes') };
    return (await insert.changes(this.db, row)) ? 'inserted' : 'duplicate';
  }

  async update(id: ProcessId, change: ProcessChange): Promise<boolean> {
    const columns = columnsOf(change);
    if (Object.keys(columns).length === 0) return (await this.get(id)) !== undefined;
    return update.changes(this.db, { id, ...columns });
  }

  async remove(ids: readonly ProcessId[]): Promise<void> {
    if (ids.length === 0) return;
    await this.db.deleteFrom('notices').where('process', 'in', ids).execute();
    await this.db.deleteFrom('processes').where('id', 'in', ids).execute();
  }
}

const columnsOf = (change: ProcessChange): Partial<Row> => ({
  ...(change.lifecycle && lifecycleColumns(change.lifecycle)),
  ...(change.released && { released_from: change.released.from, released_to: change.released.to }),
  ...(change.damage !== undefined && { damage: change.damage }),
  ...(change.outputBytes !== undefined && { output_bytes: change.outputBytes }),
  ...(change.watch && { watch: JSON.stringify(change.watch) }),
  ...(change.notifyOnComplete !== undefined && { notify_on_complete: Number(change.notifyOnComplete) }),
});

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

/** Leaves out a row that cannot be read, so that it does not hide the others. `damaged` names it. */
function readable(row: Row): readonly ProcessRecord[] {
  try {
    return [toRecord(row)];
  } catch {
    return [];
  }
}

function damageOf(row: Row): string | undefined {
  try {
    toRecord(row);
  } catch (error) {
    return `cannot be read (${error instanceof Error ? error.message : String(error)})`;
  }
  const odd = Object.entries(row).filter(([, value]) => typeof value === 'number' && !isSane(value));
  return odd.length === 0 ? undefined : `holds an impossible number (${odd.map(([name]) => name).join(', ')})`;
}

const isSane = (value: number): boolean => Math.abs(value) <= LATEST && Number.isSafeInteger(value);

/** The last time a `Date` can hold; also more bytes than any output has. */
const LATEST = 8_640_000_000_000_000;

/** Anything that is not a number counts as `least`. */
const within = (value: unknown, least: number): number => Math.max(least, Math.min(LATEST, Number(value) || 0));

/** Earlier versions took the time of an end from a file without checking it. */
const lifecycleOf = (row: Row): Lifecycle => {
  const lifecycle = JSON.parse(row.lifecycle) as Lifecycle;
  if (!LIFECYCLES.has(lifecycle.kind)) throw new Error(`an unknown state: ${lifecycle.kind}`);
  if (lifecycle.kind === 'ended' && !Number.isFinite(lifecycle.endedAt)) throw new Error('an end without a time');
  return lifecycle.kind === 'ended'
    ? { ...lifecycle, endedAt: within(lifecycle.endedAt, within(row.started_at, 0)) }
    : lifecycle;
};

const LIFECYCLES: ReadonlySet<string> = new Set(['starting', 'running', 'ended'] satisfies Lifecycle['kind'][]);

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
  startedAt: within(row.started_at, 0),
  lifecycle: lifecycleOf(row),
  released: { from: within(row.released_from, 0), to: within(row.released_to, 0) },
  ...(row.damage !== null && { damage: row.damage }),
  ...(row.output_bytes !== null && { outputBytes: within(row.output_bytes, 0) }),
  ...(row.watch !== null && { watch: JSON.parse(row.watch) as WatchRecord }),
  ...(row.generation !== null && { generation: row.generation }),
});
