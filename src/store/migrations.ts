/** How the tables came to be. A migration that has been released is never changed; a new one is added. */
import { sql, type ColumnDefinitionBuilder, type Kysely, type Migration } from 'kysely';

const processes: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('counters')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('value', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable('processes')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('seq', 'bigint', (column) => column.notNull().unique())
      .addColumn('session', 'text')
      .addColumn('name', 'text')
      .addColumn('command', 'text', (column) => column.notNull())
      .addColumn('cwd', 'text', (column) => column.notNull())
      .addColumn('place', 'text', (column) => column.notNull())
      .addColumn('pty', 'integer', (column) => column.notNull())
      .addColumn('notify_on_complete', 'integer', (column) => column.notNull())
      .addColumn('watch_patterns', 'text', (column) => column.notNull())
      .addColumn('timeout_ms', 'bigint')
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('ended_at', 'bigint')
      .addColumn('lifecycle', 'text', (column) => column.notNull())
      .addColumn('released_from', 'bigint', (column) => column.notNull())
      .addColumn('released_to', 'bigint', (column) => column.notNull())
      .addColumn('damage', 'text')
      .addColumn('output_bytes', 'bigint')
      .execute();
    await db.schema.createIndex('processes_by_state').on('processes').columns(['state', 'started_at']).execute();
    await db.schema.createIndex('processes_by_session').on('processes').columns(['session', 'started_at']).execute();
  },
};

const notices: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('sessions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('seq', 'bigint', (column) => column.notNull().unique())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('agent', 'text', (column) => column.notNull())
      .addColumn('model', 'text')
      .addColumn('key', 'text', (column) => column.unique())
      .addColumn('people', 'text', (column) => column.notNull())
      .addColumn('wakes', 'text', (column) => column.notNull())
      .addColumn('webhook', 'text')
      .addColumn('mailbox', 'text', (column) => column.notNull())
      .addColumn('waiting', 'integer', (column) => column.notNull())
      .addColumn('turn', 'text')
      .addColumn('context_from', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('closed_at', 'bigint')
      .execute();
    await db.schema
      .createTable('notices')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('seq', 'bigint', (column) => column.notNull().unique())
      .addColumn('admitted', 'bigint', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('session', 'text', (column) => column.notNull())
      .addColumn('process', 'text')
      .addColumn('number', 'bigint')
      .addColumn('key', 'text')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('cause', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('standing', 'text', (column) => column.notNull())
      .addColumn('due_at', 'bigint')
      .addUniqueConstraint('notices_of_a_fact', ['process', 'kind', 'number'])
      .addUniqueConstraint('notices_of_a_key', ['session', 'key'])
      .execute();
    await db.schema.createIndex('notices_by_session').on('notices').columns(['session', 'admitted']).execute();
    // What is settled is left out, so that the next notice is found as fast among a hundred thousand as among ten.
    await db.schema
      .createIndex('notices_pending')
      .on('notices')
      .columns(['session', 'admitted'])
      .where(sql.ref('state'), '=', sql.lit('pending'))
      .execute();
    await db.schema
      .createTable('kept')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('state', 'text', (column) => column.notNull())
      .execute();
    await db.schema.alterTable('processes').addColumn('watch', 'text').execute();
    await db.schema.alterTable('processes').addColumn('generation', 'bigint').execute();
  },
};

const journal: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('entries')
      .addColumn('seq', 'bigint', (column) => column.primaryKey())
      .addColumn('session', 'text', (column) => column.notNull())
      .addColumn('turn', 'text')
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('entries_by_session').on('entries').columns(['session', 'seq']).execute();
    await db.schema
      .createTable('messages')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('seq', 'bigint', (column) => column.notNull())
      .addColumn('session', 'text', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('mode', 'text', (column) => column.notNull())
      .addColumn('sender', 'text', (column) => column.notNull())
      .addColumn('key', 'text')
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addUniqueConstraint('messages_of_a_key', ['session', 'key'])
      .execute();
    await db.schema
      .createIndex('messages_waiting')
      .on('messages')
      .columns(['session', 'seq'])
      .where(sql.ref('state'), '=', sql.lit('waiting'))
      .execute();
  },
};

/** What stands in a journal already counts as seen. */
const seen: Migration = {
  async up(db: Kysely<unknown>) {
    const whole = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);
    await db.schema.alterTable('sessions').addColumn('seen_seq', 'bigint', whole).execute();
    await db.schema.alterTable('sessions').addColumn('unread', 'integer', whole).execute();
    await db.schema.alterTable('entries').addColumn('speaks', 'integer', whole).execute();
    await db.schema
      .createIndex('entries_speaking')
      .on('entries')
      .columns(['session', 'seq'])
      .where(sql.ref('speaks'), '=', sql.lit(1))
      .execute();
  },
};

export const migrations: Record<string, Migration> = {
  '0001-processes': processes,
  '0003-notices': notices,
  '0004-journal': journal,
  '0005-seen': seen,
};
