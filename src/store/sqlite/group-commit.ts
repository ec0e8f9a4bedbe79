/**
 * Commits that wait at the same time share one flush.
 *
 *   1. Works run one after the other, in the order they came, each between a savepoint and its release: a work that
 *      throws is undone and undoes no other.
 *   2. A group is flushed if one of its works asked for that.
 *   3. A work returns only after the commit that contains it was flushed. If the commit fails, all its works fail.
 */
import { pause, roundOver, type Clock } from '../../ports/clock.js';
import type { Durability } from '../../ports/store.js';
import type { Connection } from './connection.js';

type Work = {
  readonly durability: Durability;
  /** Runs the work; what it returns is called once the commit is flushed. */
  readonly run: () => Promise<() => void>;
  readonly reject: (error: unknown) => void;
};

/** Enough works to share a flush, few enough that none waits long for the others. */
const GROUP_LIMIT = 64;
const RETRY_MS = 20;

export class GroupCommit {
  readonly #waiting: Work[] = [];
  #committing = false;

  constructor(
    /** The works write to it, and nothing else does. */
    readonly connection: Connection,
    readonly clock: Clock,
    readonly busyMs: number,
  ) {}

  add<Result>(work: () => Promise<Result>, durability: Durability): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const run = async () => {
        const result = await work();
        return () => resolve(result);
      };
      this.#waiting.push({ durability, run, reject });
      if (!this.#committing) void this.#commitAll();
    });
  }

  async #commitAll(): Promise<void> {
    this.#committing = true;
    while (this.#waiting.length > 0) {
      // Works of the same round of the event loop share the flush.
      await roundOver();
      await this.#commit(this.#waiting.splice(0, GROUP_LIMIT));
    }
    this.#committing = false;
  }

  async #commit(group: readonly Work[]): Promise<void> {
    try {
      const settle = await this.#flushed(group);
      for (const settleOne of settle) settleOne();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  /** Every commit is flushed, except for a group in which no work asked for it. */
  async #flushed(group: readonly Work[]): Promise<readonly (() => void)[]> {
    if (group.some(({ durability }) => durability === 'power cut')) return this.#inTransaction(group);
    this.connection.exec('PRAGMA synchronous = NORMAL');
    try {
      return await this.#inTransaction(group);
    } finally {
      this.connection.exec('PRAGMA synchronous = FULL');
    }
  }

  async #inTransaction(group: readonly Work[]): Promise<readonly (() => void)[]> {
    await this.#begin();
    try {
      const settle: (() => void)[] = [];
      for (const work of group) settle.push(await this.#attempt(work));
      this.connection.exec('COMMIT');
      return settle;
    } catch (error) {
      this.connection.rollback();
      throw error;
    }
  }

  /** Waits for another program that holds the store, without blocking the event loop. */
  async #begin(): Promise<void> {
    for (const givingUpAt = this.clock.monotonic() + this.busyMs; ;)
      try {
        return this.connection.exec('BEGIN IMMEDIATE');
      } catch (error) {
        const busy = error instanceof Error && /locked|busy/i.test(error.message);
        if (!busy || this.clock.monotonic() > givingUpAt) throw error;
        await pause(this.clock, RETRY_MS);
      }
  }

  async #attempt({ run, reject }: Work): Promise<() => void> {
    this.connection.exec('SAVEPOINT work');
    try {
      const settle = await run();
      this.connection.exec('RELEASE work');
      return settle;
    } catch (error) {
      // Throws when a full disk has undone everything: then the whole group fails.
      this.connection.exec('ROLLBACK TO work; RELEASE work');
      return () => reject(error);
    }
  }
}
