/** The series of numbers. Every change takes the next one, under the lock that is held until its commit. */
import { CompiledQuery, type Kysely } from 'kysely';
import type { Schema } from './schema.js';
import type { Statements } from './statements.js';

/** Processes count by themselves; sessions, notices and entries share one series, so that one stream can follow all. */
export type Series = 'processes' | 'journal';

const next = (series: Series) =>
  CompiledQuery.raw(
    `insert into counters (name, value) values ('${series}', 1)
     on conflict (name) do update set value = counters.value + 1 returning value`,
  ) as CompiledQuery<{ value: number }>;

const NEXT = { processes: next('processes'), journal: next('journal') };

export async function nextNumber(statements: Statements, series: Series): Promise<number> {
  const { rows } = await statements.run(`next number of ${series}`, [], () => NEXT[series]);
  return rows[0]?.value ?? 0;
}

export async function lastNumber(db: Kysely<Schema>, statements: Statements, series: Series): Promise<number> {
  const { rows } = await statements.run('last number', [series], () =>
    db.selectFrom('counters').select('value').where('name', '=', series).compile(),
  );
  return rows[0]?.value ?? 0;
}
