/**
 * A connection to SQLite. The only file that knows which engine runs: the one inside Node from version 24 on, else a
 * package with the same interface that brings its binary along.
 */
import type { DatabaseSync } from '@photostructure/sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { closeSync, constants, fdatasync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { errno } from '../../errno.js';

type Engine = typeof DatabaseSync;

/** Unknown to the types of the oldest Node we support. */
const BUILT_IN: string = 'node:sqlite';

async function engine(): Promise<Engine> {
  const builtIn = Number(process.versions.node.split('.')[0]) >= 24;
  const { DatabaseSync } = builtIn
    ? ((await import(BUILT_IN)) as { DatabaseSync: Engine })
    : await import('@photostructure/sqlite');
  return DatabaseSync;
}

type Statement = ReturnType<InstanceType<Engine>['prepare']>;

/** Both engines use these words, under different error codes. */
const TOO_LARGE = /too large to be represented as a JavaScript number/;

/** A number too large to be exact is read as the largest exact one: one such row must not hide all the others. */
function readAll(statement: Statement, parameters: Parameters<Statement['all']>): unknown[] {
  try {
    return statement.all(...parameters);
  } catch (error) {
    if (!(error instanceof Error && TOO_LARGE.test(error.message))) throw error;
  }
  statement.setReadBigInts(true);
  try {
    return statement.all(...parameters).map((row) => withNumbers(row as Record<string, unknown>));
  } finally {
    statement.setReadBigInts(false);
  }
}

const withNumbers = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'bigint'
        ? Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(value)))
        : value,
    ]),
  );

export type Connection = SqliteDatabase & {
  exec(sql: string): void;
  /** Undoes the open transaction, unless SQLite has already done so, as it does when the disk is full. */
  rollback(): void;
  pragma(name: string): unknown;
};

export async function connect(path: string, busyMs: number): Promise<Connection> {
  const Database = await engine();
  const db = new Database(path, { timeout: busyMs });
  const statements = new Map<string, SqliteStatement>();
  const prepared = (sql: string): SqliteStatement => {
    const statement = db.prepare(sql);
    const plain = (parameters: readonly unknown[]) => parameters as Parameters<typeof statement.all>;
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => readAll(statement, plain(parameters)),
      run: (parameters) => statement.run(...plain(parameters)),
      iterate: (parameters) => statement.iterate(...plain(parameters)) as IterableIterator<unknown>,
    };
  };
  return {
    prepare(sql) {
      const known = statements.get(sql) ?? prepared(sql);
      statements.set(sql, known);
      return known;
    },
    close: () => db.close(),
    exec: (sql) => db.exec(sql),
    rollback() {
      try {
        db.exec('ROLLBACK');
      } catch (error) {
        if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
      }
    },
    pragma: (name) => Object.values((db.prepare(`PRAGMA ${name}`).get() ?? {}) as Record<string, unknown>)[0],
  };
}

/** A little more than what is written between two checkpoints: a thousand pages with their headers. */
const LOG_BYTES = 1_100 * (4_096 + 24);
const PIECE = new Uint8Array(131_072);

/**
 * Gives SQLite's write-ahead log its full length at once, in zeros.
 *
 * After a checkpoint the log is overwritten from its start. Before the first one it grows, and a flush that must also
 * store the new length of a file takes about twice as long. SQLite does not read the zeros as a commit: a log may end in
 * garbage, as it does after every checkpoint.
 */
export function allocateLog(connection: Connection, path: string): void {
  // While we hold the store no other program writes to its log.
  connection.exec('BEGIN IMMEDIATE');
  try {
    const log = openSync(`${path}-wal`, constants.O_WRONLY);
    extend(log);
    // In the background, while the host starts.
    fdatasync(log, () => closeSync(log));
  } finally {
    connection.exec('ROLLBACK');
  }
}

function extend(log: number): void {
  const { size } = fstatSync(log);
  try {
    for (let at = size; at < LOG_BYTES; at += PIECE.length)
      if (writeSync(log, PIECE, 0, PIECE.length, at) < PIECE.length) return ftruncateSync(log, size);
  } catch (error) {
    // Then the log grows as it is written, for as long as there is room.
    if (errno(error) !== 'ENOSPC') throw error;
    ftruncateSync(log, size);
  }
}
