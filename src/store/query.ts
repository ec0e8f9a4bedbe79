/**
 * Queries with named values, compiled once.
 *
 *   1. A query is built with a placeholder for each value, so its text depends on the names alone.
 *   2. It is compiled once per database and set of names; a value that is left out is left out of the query.
 *   3. A value is bound by its name, wherever the query uses it.
 */
import { sql, type Compilable, type CompiledQuery, type Kysely, type QueryResult, type RawBuilder } from 'kysely';
import type { Schema } from './schema.js';

export type Database = Kysely<Schema>;

class Placeholder {
  constructor(readonly name: string) {}
}

export type Named<Values> = { readonly [Name in keyof Values]: RawBuilder<Exclude<Values[Name], undefined>> };

export class Query<Values extends Readonly<Record<string, unknown>>, Row> {
  readonly #compiled = new WeakMap<Database, Map<string, CompiledQuery<Row>>>();

  constructor(readonly build: (db: Database, values: Named<Values>) => Compilable<Row>) {}

  async all(db: Database, values: Values): Promise<readonly Row[]> {
    return (await this.#run(db, values)).rows;
  }

  async first(db: Database, values: Values): Promise<Row | undefined> {
    return (await this.#run(db, values)).rows[0];
  }

  /** Whether it changed a row. */
  async changes(db: Database, values: Values): Promise<boolean> {
    return ((await this.#run(db, values)).numAffectedRows ?? 0n) > 0n;
  }

  #run(db: Database, values: Values): Promise<QueryResult<Row>> {
    const query = this.#compiledFor(db, Object.keys(values));
    const parameters = query.parameters.map((one) => (one instanceof Placeholder ? values[one.name] : one));
    return db.executeQuery({ ...query, parameters });
  }

  #compiledFor(db: Database, names: readonly string[]): CompiledQuery<Row> {
    const known = this.#compiled.get(db) ?? new Map<string, CompiledQuery<Row>>();
    this.#compiled.set(db, known);
    const key = names.join();
    const query = known.get(key) ?? this.build(db, placeholders(names)).compile();
    known.set(key, query);
    return query;
  }
}

const placeholders = <Values>(names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, sql`${new Placeholder(name)}`])) as Named<Values>;

/** Processes have a series of their own; sessions, notices and entries share one, so one stream can follow them all. */
type Series = 'processes' | 'journal';

const raise = new Query((db, { series }: Named<{ series: Series }>) =>
  db
    .insertInto('counters')
    .values({ name: series, value: sql.lit(1) })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((of) => ({ value: of('counters.value', '+', sql.lit(1)) })),
    )
    .returning('value'),
);

const last = new Query((db, { series }: Named<{ series: Series }>) =>
  db.selectFrom('counters').select('value').where('name', '=', series),
);

/** Every change takes the next number, under a lock that is held until its commit. */
export const nextNumber = async (db: Database, series: Series): Promise<number> =>
  (await raise.first(db, { series }))?.value ?? 0;

export const lastNumber = async (db: Database, series: Series): Promise<number> =>
  (await last.first(db, { series }))?.value ?? 0;

export async function idsStartingWith(
  db: Database,
  table: 'processes' | 'sessions' | 'notices',
  prefix: string,
  limit: number,
): Promise<readonly string[]> {
  const query = db.selectFrom(table).select('id').where('id', '>=', prefix).where('id', '<', `${prefix}~`);
  return (await query.orderBy('id').limit(limit).execute()).map(({ id }) => id);
}
