/** Processes in tables: the same queries for every database. */
import type { Kysely, Selectable } from 'kysely';
import { ProcessId, SessionId } from '../contract/ids.js';
import type { Lifecycle } from '../domain/process/process.js';
import type {
  DamagedRow,
  ProcessChange,
  ProcessFilter,
  ProcessReader,
  ProcessRecord,
  ProcessWriter,
  WatchRecord,
} from '../ports/store.js';
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
    const [record] = rows[0] ? readable(rows[0]) : [];
    return record;
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

/** A row that cannot be read is left out: it must not hide the others. `damaged` names it. */
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

/** The last moment that a date can name; and more than any output holds. */
const LATEST = 8_640_000_000_000_000;

/** What is no number at all counts as the least. */
const within = (value: unknown, least: number): number => Math.max(least, Math.min(LATEST, Number(value) || 0));

/** Times of an end were taken from a file, by earlier versions unchecked. */
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
