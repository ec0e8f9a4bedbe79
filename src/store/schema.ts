/**
 * The tables, in the SQL that SQLite and PostgreSQL share: text, whole numbers, and JSON as text.
 *
 * A column is written once: the migrations create it, and the type of its row is derived from it. A released migration
 * is never changed; a new one is added.
 */
type Nullability = '' | ' not null' | ' not null unique' | ' not null default 0' | ' primary key' | ' unique';
type Columns = Readonly<Record<string, `${'text' | 'integer' | 'bigint'}${Nullability}`>>;

type RowOf<Table extends Columns> = {
  [Name in keyof Table]:
    | (Table[Name] extends `text${string}` ? string : number)
    | (Table[Name] extends `${string} not null${string}` | `${string} primary key` ? never : null);
};

/** One row per series of numbers. Raising it locks it until the commit, which keeps numbers in commit order. */
const counters = { name: 'text primary key', value: 'bigint not null default 0' } as const satisfies Columns;

const processes = {
  id: 'text primary key',
  seq: 'bigint not null unique',
  session: 'text',
  name: 'text',
  command: 'text not null',
  cwd: 'text not null',
  place: 'text not null',
  pty: 'integer not null',
  notify_on_complete: 'integer not null',
  watch_patterns: 'text not null',
  timeout_ms: 'bigint',
  started_at: 'bigint not null',
  state: 'text not null',
  ended_at: 'bigint',
  lifecycle: 'text not null',
  released_from: 'bigint not null',
  released_to: 'bigint not null',
  damage: 'text',
  output_bytes: 'bigint',
} as const satisfies Columns;
const watchOfProcess = { watch: 'text', generation: 'bigint' } as const satisfies Columns;

const sessions = {
  id: 'text primary key',
  seq: 'bigint not null unique',
  title: 'text not null',
  agent: 'text not null',
  model: 'text',
  key: 'text unique',
  people: 'text not null',
  wakes: 'text not null',
  webhook: 'text',
  mailbox: 'text not null',
  waiting: 'integer not null',
  turn: 'text',
  context_from: 'bigint not null',
  created_at: 'bigint not null',
  updated_at: 'bigint not null',
  closed_at: 'bigint',
} as const satisfies Columns;
const seenOfSession = { seen_seq: 'bigint not null default 0', unread: 'integer not null default 0' } as const;

/** `seq` is the number of the last change, `admitted` that of the admission. */
const notices = {
  id: 'text primary key',
  seq: 'bigint not null unique',
  admitted: 'bigint not null',
  kind: 'text not null',
  session: 'text not null',
  process: 'text',
  number: 'bigint',
  key: 'text',
  state: 'text not null',
  cause: 'text not null',
  at: 'bigint not null',
  standing: 'text not null',
  due_at: 'bigint',
} as const satisfies Columns;

const entries = {
  seq: 'bigint primary key',
  session: 'text not null',
  turn: 'text',
  at: 'bigint not null',
  body: 'text not null',
} as const satisfies Columns;
/** Whether the entry is for a person to read. */
const speaksOfEntry = { speaks: 'integer not null default 0' } as const;

const messages = {
  id: 'text primary key',
  seq: 'bigint not null',
  session: 'text not null',
  text: 'text not null',
  mode: 'text not null',
  sender: 'text not null',
  key: 'text',
  at: 'bigint not null',
  state: 'text not null',
} as const satisfies Columns;

/** Holds the named values. */
const kept = { name: 'text primary key', state: 'text not null' } as const satisfies Columns;

export type Schema = {
  counters: RowOf<typeof counters>;
  processes: RowOf<typeof processes & typeof watchOfProcess>;
  sessions: RowOf<typeof sessions & typeof seenOfSession>;
  notices: RowOf<typeof notices>;
  entries: RowOf<typeof entries & typeof speaksOfEntry>;
  messages: RowOf<typeof messages>;
  kept: RowOf<typeof kept>;
  /** The migrations that were run. Kysely's own migrator, which earlier versions used, gave the table its name. */
  kysely_migration: { name: string; timestamp: string };
};

const definitions = (columns: Columns) => Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);

const create = (table: keyof Schema, columns: Columns, ...constraints: readonly string[]) =>
  `create table ${table} (${[...definitions(columns), ...constraints].join(', ')})`;

const add = (table: keyof Schema, columns: Columns) =>
  definitions(columns).map((definition) => `alter table ${table} add column ${definition}`);

export const MIGRATED = 'create table if not exists kysely_migration (name text primary key, timestamp text not null)';

/** The statements of each migration, by its name. */
export const migrations: Readonly<Record<string, readonly string[]>> = {
  '0001-processes': [
    create('counters', counters),
    create('processes', processes),
    'create index processes_by_state on processes (state, started_at)',
    'create index processes_by_session on processes (session, started_at)',
  ],
  '0003-notices': [
    create('sessions', sessions),
    create(
      'notices',
      notices,
      'constraint notices_of_a_fact unique (process, kind, number)',
      'constraint notices_of_a_key unique (session, key)',
    ),
    'create index notices_by_session on notices (session, admitted)',
    // Leaves out settled notices, so finding the next one takes as long among a hundred thousand as among ten.
    `create index notices_pending on notices (session, admitted) where state = 'pending'`,
    create('kept', kept),
    ...add('processes', watchOfProcess),
  ],
  '0004-journal': [
    create('entries', entries),
    'create index entries_by_session on entries (session, seq)',
    create('messages', messages, 'constraint messages_of_a_key unique (session, key)'),
    `create index messages_waiting on messages (session, seq) where state = 'waiting'`,
  ],
  // Entries that were written before this migration count as seen.
  '0005-seen': [
    ...add('sessions', seenOfSession),
    ...add('entries', speaksOfEntry),
    'create index entries_speaking on entries (session, seq) where speaks = 1',
  ],
};
