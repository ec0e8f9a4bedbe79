/** How the tables came to be. A migration that has been released is never changed; a new one is added. */
import type { Kysely, Migration } from 'kysely';

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

export const migrations: Record<string, Migration> = { '0001-processes': processes };
