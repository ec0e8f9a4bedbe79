/**
 * The one file that knows which SQLite is at hand: the one inside Node from version 24 on, else the same interface
 * from a package that brings its binary along.
 */
import type { DatabaseSync } from '@photostructure/sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

type Engine = typeof DatabaseSync;

/** Not known to the types of the oldest Node we run on. */
const BUILT_IN: string = 'node:sqlite';

async function engine(): Promise<Engine> {
  const builtIn = Number(process.versions.node.split('.')[0]) >= 24;
  const { DatabaseSync } = builtIn
    ? ((await import(BUILT_IN)) as { DatabaseSync: Engine })
    : await import('@photostructure/sqlite');
  return DatabaseSync;
}

type Statement = ReturnType<InstanceType<Engine>['prepare']>;

/** The two engines say it alike, under different names. */
const TOO_LARGE = /too large to be represented as a JavaScript number/;

/** A number that is too large to be exact comes as the largest that is: one such row must not hide all the others. */
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
  /** One statement without values or rows, parsed once. */
  perform(sql: string): void;
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
  const prepare = (sql: string): SqliteStatement => {
    const known = statements.get(sql) ?? prepared(sql);
    statements.set(sql, known);
    return known;
  };
  return {
    prepare,
    close: () => db.close(),
    exec: (sql) => db.exec(sql),
    perform: (sql) => void prepare(sql).run([]),
    pragma: (name) => Object.values((db.prepare(`PRAGMA ${name}`).get() ?? {}) as Record<string, unknown>)[0],
  };
}
