/** Ids by their beginning, for every table that has them. */
import type { Kysely } from 'kysely';
import type { Schema } from './schema.js';

export async function idsBeginningWith(
  db: Kysely<Schema>,
  table: 'processes' | 'sessions' | 'notices',
  beginning: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom(table)
    .select('id')
    .where('id', '>=', beginning)
    .where('id', '<', `${beginning}~`)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
