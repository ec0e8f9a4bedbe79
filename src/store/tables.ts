/** All tables over one database connection. */
import type { Transaction, ValueWriter } from '../ports/store.js';
import { Journal, Messages } from './journal.js';
import { Notices } from './notices.js';
import { Processes } from './processes.js';
import type { Database } from './query.js';
import { Sessions } from './sessions.js';

export const tablesOver = (db: Database): Transaction => ({
  processes: new Processes(db),
  sessions: new Sessions(db),
  notices: new Notices(db),
  journal: new Journal(db),
  messages: new Messages(db),
  values: new Values(db),
});

class Values implements ValueWriter {
  constructor(readonly db: Database) {}

  async get(name: string): Promise<unknown> {
    const row = await this.db.selectFrom('kept').select('state').where('name', '=', name).executeTakeFirst();
    return row && (JSON.parse(row.state) as unknown);
  }

  async put(name: string, value: unknown): Promise<void> {
    const state = JSON.stringify(value);
    await this.db
      .insertInto('kept')
      .values({ name, state })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ state }))
      .execute();
  }
}
