/** SQLite in one file: the store that needs no setup. */
import { chmodSync, existsSync, statSync } from 'node:fs';
import { Kysely, SqliteDialect } from 'kysely';
import type { Instant } from '../../domain/process/process.js';
import type { Clock } from '../../ports/clock.js';
import { StoreFault, type Durability, type Readers, type Store, type Transaction } from '../../ports/store.js';
import { lastNumber, type Database } from '../query.js';
import { MIGRATED, migrations, type Schema } from '../schema.js';
import { tablesOver } from '../tables.js';
import { allocateLog, connect, type Connection } from './connection.js';
import { GroupCommit } from './group-commit.js';

/** How long another program may hold the store before a write is refused. */
const BUSY_MS = 5_000;

export class SqliteStore implements Store {
  readonly processes: Readers['processes'];
  readonly sessions: Readers['sessions'];
  readonly notices: Readers['notices'];
  readonly journal: Readers['journal'];
  readonly messages: Readers['messages'];
  readonly values: Readers['values'];
  readonly #commits: GroupCommit;
  readonly #tables: Transaction;
  readonly #writing: Database;
  readonly #reading: Database;

  private constructor(
    readonly path: string,
    readonly connection: Connection,
    /** Sees what is committed and nothing else, and waits for no commit. */
    reading: Connection,
    commits: GroupCommit,
  ) {
    this.#writing = over(connection);
    this.#reading = over(reading);
    this.#tables = tablesOver(this.#writing);
    this.#commits = commits;
    const { processes, sessions, notices, journal, messages, values } = tablesOver(this.#reading);
    this.processes = processes;
    this.sessions = sessions;
    this.notices = notices;
    this.journal = journal;
    this.messages = messages;
    this.values = values;
  }

  /** `used` says that there are processes which the store should know: then an empty store has lost its rows. */
  static async open(path: string, clock: Clock, { busyMs = BUSY_MS, used = false } = {}): Promise<SqliteStore> {
    const empty = existsSync(path) && statSync(path).size === 0;
    if (empty && (used || existsSync(`${path}-wal`)))
      throw new StoreFault(
        `The store ${path} is empty although it was written before. Restore a copy, or move it away to start with an empty store. "rouse doctor" says more.`,
      );
    return translated(path, async () => {
      const connection = await connect(path, busyMs);
      // FULL flushes at every commit: what was acknowledged survives a power cut.
      connection.exec(
        'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 16777216; PRAGMA foreign_keys = ON',
      );
      chmodSync(path, 0o600);
      const reading = await connect(path, busyMs);
      reading.exec('PRAGMA query_only = ON');
      const store = new SqliteStore(path, connection, reading, new GroupCommit(connection, clock, busyMs));
      await store.#migrate(clock);
      allocateLog(connection, path);
      // From here on the wait for another program is ours, and does not block the event loop.
      connection.exec('PRAGMA busy_timeout = 0');
      return store;
    });
  }

  transact<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    durability: Durability = 'power cut',
  ): Promise<Result> {
    return translated(this.path, () => this.#commits.add(() => work(this.#tables), durability));
  }

  head(): Promise<number> {
    return lastNumber(this.#reading, 'journal');
  }

  async check(): Promise<readonly string[]> {
    const verdict = await translated(this.path, async () => this.connection.pragma('quick_check(10)'));
    if (verdict !== 'ok') return [String(verdict)];
    return (await this.processes.damaged()).map(({ id, why }) => `the row of ${id} ${why}`);
  }

  async close(): Promise<void> {
    await this.#reading.destroy();
    // Folds the log into the file, so that a copy of the file alone is complete.
    this.connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    await this.#writing.destroy();
  }

  /** In one transaction: a new store is flushed once, and a store that cannot be migrated stays as it was. */
  async #migrate(clock: Clock): Promise<void> {
    this.connection.exec('BEGIN IMMEDIATE');
    try {
      this.connection.exec(MIGRATED);
      const done = await this.#writing.selectFrom('kysely_migration').select('name').execute();
      const newer = done.find(({ name }) => !(name in migrations));
      if (newer)
        throw new StoreFault(
          `The store ${this.path} was written by a newer Rouse (it has ${newer.name}). Use that version, or another home.`,
        );
      for (const [name, statements] of Object.entries(migrations))
        if (!done.some((one) => one.name === name)) await this.#run(name, statements, clock.now());
      this.connection.exec('COMMIT');
    } catch (error) {
      this.connection.rollback();
      throw error;
    }
  }

  async #run(name: string, statements: readonly string[], at: Instant): Promise<void> {
    for (const statement of statements) this.connection.exec(statement);
    const timestamp = new Date(at).toISOString();
    await this.#writing.insertInto('kysely_migration').values({ name, timestamp }).execute();
  }
}

const over = (database: Connection) => new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });

/** Damage and lack of room become a sentence that says what to do; a bug stays a bug. */
async function translated<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const known = FAULTS.find(([sign]) => sign.test(message));
    throw known ? new StoreFault(`The store ${path} ${known[1]} (${message}).`, { cause: error }) : error;
  }
}

const FAULTS: readonly [RegExp, string][] = [
  [
    /malformed|not a database|corrupt/i,
    'is damaged and is not used: restore a copy, or move it away to start with an empty store. "rouse doctor" says more',
  ],
  [/disk is full|disk I\/O error/i, 'could not be written: the disk may be full. Nothing was changed'],
  [/locked|busy/i, 'is held by another program. Nothing was changed; try again when that program releases it'],
  [/readonly|unable to open/i, 'cannot be opened for writing: check the permissions and the free space on the disk'],
];
