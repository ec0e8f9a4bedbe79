/** The states of single machines, each under its name. */
import type { Kysely } from 'kysely';
import type { KeptReader, KeptWriter } from '../ports/store.js';
import type { Schema } from './schema.js';

export class KeptQueries implements KeptReader {
  constructor(protected readonly db: Kysely<Schema>) {}

  async get(name: string): Promise<unknown> {
    const row = await this.db.selectFrom('kept').select('state').where('name', '=', name).executeTakeFirst();
    return row && (JSON.parse(row.state) as unknown);
  }
}

export class KeptCommands extends KeptQueries implements KeptWriter {
  async put(name: string, state: unknown): Promise<void> {
    const text = JSON.stringify(state);
    await this.db
      .insertInto('kept')
      .values({ name, state: text })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ state: text }))
      .execute();
  }
}
