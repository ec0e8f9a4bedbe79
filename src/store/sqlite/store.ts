/** SQLite in one file: the store that needs nothing. */
import { chmodSync, existsSync, statSync } from 'node:fs';
import { Kysely, Migrator, SqliteDialect } from 'kysely';
import type { Clock } from '../../ports/clock.js';
import { StoreFault, type Durability, type Store, type Transaction } from '../../ports/store.js';
import { migrations } from '../migrations.js';
import { lastNumber } from '../counters.js';
import { JournalCommands, JournalQueries } from '../journal.js';
import { KeptCommands, KeptQueries } from '../kept.js';
import { MessageCommands, MessageQueries } from '../messages.js';
import { NoticeCommands, NoticeQueries } from '../notices.js';
import { ProcessCommands, ProcessQueries } from '../processes.js';
import { SessionCommands, SessionQueries } from '../sessions.js';
import type { Schema } from '../schema.js';
import { connect, type Connection } from './driver.js';
import { GroupCommit } from './group-commit.js';
import { makeRoomInLog } from './log-room.js';
import { PreparedStatements } from './statements.js';

/** How long a foreign program may hold the store before a write is refused. */
const BUSY_MS = 5_000;

export class SqliteStore implements Store {
  readonly processes: ProcessQueries;
  readonly sessions: SessionQueries;
  readonly notices: NoticeQueries;
  readonly journal: JournalQueries;
  readonly messages: MessageQueries;
  readonly kept: KeptQueries;
  readonly #commits: GroupCommit;
  readonly #tables: Transaction;
  readonly #readingStatements: PreparedStatements;
  readonly #writing: Kysely<Schema>;
  readonly #reading: Kysely<Schema>;

  private constructor(
    readonly path: string,
    readonly connection: Connection,
    /** Sees what is committed and nothing else, and waits for no commit. */
    reading: Connection,
    clock: Clock,
    busyMs: number,
  ) {
    this.#writing = over(connection);
    this.#reading = over(reading);
    const statements = new PreparedStatements(connection);
    this.#tables = {
      processes: new ProcessCommands(this.#writing, statements),
      sessions: new SessionCommands(this.#writing, statements),
      notices: new NoticeCommands(this.#writing, statements),
      journal: new JournalCommands(this.#writing, statements),
      messages: new MessageCommands(this.#writing, statements),
      kept: new KeptCommands(this.#writing),
    };
    this.#readingStatements = new PreparedStatements(reading);
    this.#commits = new GroupCommit(connection, clock, busyMs);
    this.processes = new ProcessQueries(this.#reading, this.#readingStatements);
    this.sessions = new SessionQueries(this.#reading, this.#readingStatements);
    this.notices = new NoticeQueries(this.#reading, this.#readingStatements);
    this.journal = new JournalQueries(this.#reading, this.#readingStatements);
    this.messages = new MessageQueries(this.#reading, this.#readingStatements);
    this.kept = new KeptQueries(this.#reading);
  }

  /** `used` says that there are processes which a store should know: then an empty one has lost its memory. */
  static async open(path: string, clock: Clock, { busyMs = BUSY_MS, used = false } = {}): Promise<SqliteStore> {
    const empty = existsSync(path) && statSync(path).size === 0;
    if (empty && (used || existsSync(`${path}-wal`)))
      throw new StoreFault(
        `The store ${path} is empty although it was written before. Put a copy back, or move it away to begin anew. "rouse doctor" says more.`,
      );
    return translated(path, async () => {
      const connection = await connect(path, busyMs);
      // FULL flushes at every commit: what was acknowledged survives a power cut.
      connection.exec(
        'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 16777216; PRAGMA foreign_keys = ON',
      );
      chmodSync(path, 0o600);
      const store = new SqliteStore(path, connection, await connect(path, busyMs), clock, busyMs);
      await store.#migrate();
      makeRoomInLog(connection, path);
      // From here on the wait for a foreign lock is ours, and does not stop the event loop.
      connection.exec('PRAGMA busy_timeout = 0');
      return store;
    });
  }

  transact<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    durability: Durability = 'power cut',
  ): Promise<Result> {
    return translated(this.path, () => this.#commits.take(() => work(this.#tables), durability));
  }

  head(): Promise<number> {
    return lastNumber(this.#reading, this.#readingStatements, 'journal');
  }

  async check(): Promise<readonly string[]> {
    const verdict = await translated(this.path, async () => this.connection.pragma('quick_check(10)'));
    if (verdict !== 'ok') return [String(verdict)];
    return (await this.processes.damaged()).map(({ id, why }) => `the row of ${id} ${why}`);
  }

  async close(): Promise<void> {
    await this.#reading.destroy();
    // The log is folded into the file, so that a copy of the file alone is whole.
    this.connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    await this.#writing.destroy();
  }

  async #migrate(): Promise<void> {
    const { error } = await new Migrator({
      db: this.#writing,
      provider: { getMigrations: async () => migrations },
    }).migrateToLatest();
    if (error instanceof Error && error.message.startsWith('corrupted migrations'))
      throw new StoreFault(
        `The store ${this.path} was written by a newer Rouse (${error.message}). Use that version, or another home.`,
      );
    if (error) throw error;
  }
}

const over = (database: Connection) => new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });

/** Damage and want of room are told in a sentence with the way out; a bug stays a bug. */
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
    'is damaged and is not used: put a copy back, or move it away to begin anew. "rouse doctor" says more',
  ],
  [/disk is full|disk I\/O error/i, 'could not be written: there may be no room on the disk. Nothing was changed'],
  [/locked|busy/i, 'is held by another program. Nothing was changed; try again when it lets go'],
  [/readonly|unable to open/i, 'cannot be opened for writing: look at the permissions and at the room on the disk'],
];
