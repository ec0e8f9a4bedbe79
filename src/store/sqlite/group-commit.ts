/**
 * One flush for all who wait for one.
 *
 *   1. Works run one after the other, in the order they came, each between a savepoint and its release: one that throws
 *      undoes itself and nobody else.
 *   2. A group is flushed if one of it asked for that.
 *   3. Nobody is told anything before the commit that holds his work has been flushed. If it fails, it fails for all.
 */
import type { Kysely } from 'kysely';
import { pause, type Clock } from '../../clock.js';
import type { Durability } from '../../store.js';
import type { Schema } from '../schema.js';
import type { Connection } from './driver.js';

type Work = (db: Kysely<Schema>) => Promise<unknown>;
type Outcome = { readonly done: unknown } | { readonly failed: unknown };
type Waiting = {
  readonly durability: Durability;
  readonly work: Work;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/** Enough to share a flush, few enough that nobody waits long for the others. */
const MOST = 64;
const LOOK_AGAIN_MS = 20;

export class GroupCommit {
  readonly #waiting: Waiting[] = [];
  #committing = false;
  #mode: 'FULL' | 'NORMAL' = 'FULL';

  constructor(
    readonly connection: Connection,
    readonly db: Kysely<Schema>,
    readonly clock: Clock,
    readonly busyMs: number,
  ) {}

  take<Result>(work: (db: Kysely<Schema>) => Promise<Result>, durability: Durability): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ work, durability, resolve: (result) => resolve(result as Result), reject });
      if (!this.#committing) void this.#commitAll();
    });
  }

  async #commitAll(): Promise<void> {
    this.#committing = true;
    while (this.#waiting.length > 0) {
      // Whatever comes in the same round of the event loop shares the flush.
      await new Promise((roundIsOver) => setImmediate(roundIsOver));
      await this.#commit(this.#waiting.splice(0, MOST));
    }
    this.#committing = false;
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    const outcomes: Outcome[] = [];
    try {
      this.#flush(group.some(({ durability }) => durability === 'power cut') ? 'FULL' : 'NORMAL');
      await this.db.connection().execute(async (db) => {
        await this.#begin();
        try {
          for (const { work } of group) outcomes.push(await this.#attempt(work, db));
          this.connection.exec('COMMIT');
        } catch (error) {
          this.#undo();
          throw error;
        }
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    }
    group.forEach(({ resolve, reject }, index) => {
      const outcome = outcomes[index];
      if (outcome && 'done' in outcome) resolve(outcome.done);
      else reject(outcome?.failed);
    });
  }

  /** A foreign program may hold the store for a while; waited for without standing still. */
  async #begin(): Promise<void> {
    for (const givingUpAt = this.clock.monotonic() + this.busyMs; ;)
      try {
        return this.connection.exec('BEGIN IMMEDIATE');
      } catch (error) {
        const busy = error instanceof Error && /locked|busy/i.test(error.message);
        if (!busy || this.clock.monotonic() > givingUpAt) throw error;
        await pause(this.clock, LOOK_AGAIN_MS);
      }
  }

  /** A disk that is full has already undone everything by itself; the error that matters is the first one. */
  #undo(): void {
    try {
      this.connection.exec('ROLLBACK');
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
    }
  }

  #flush(mode: 'FULL' | 'NORMAL'): void {
    if (mode !== this.#mode) this.connection.exec(`PRAGMA synchronous = ${mode}`);
    this.#mode = mode;
  }

  async #attempt(work: Work, db: Kysely<Schema>): Promise<Outcome> {
    this.connection.exec('SAVEPOINT work');
    try {
      const done = await work(db);
      this.connection.exec('RELEASE work');
      return { done };
    } catch (failed) {
      // Fails itself when a full disk has undone everything: then the whole group is told.
      this.connection.exec('ROLLBACK TO work; RELEASE work');
      return { failed };
    }
  }
}
