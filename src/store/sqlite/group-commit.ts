/**
 * One flush for all who wait for one.
 *
 *   1. Works run one after the other, in the order they came, each between a savepoint and its release (alone, between
 *      begin and commit): one that throws undoes itself and nobody else.
 *   2. A group is flushed if one of it asked for that.
 *   3. Nobody is told anything before the commit that holds his work has been flushed. If it fails, it fails for all.
 */
import { pause, roundOver, type Clock } from '../../ports/clock.js';
import type { Durability } from '../../ports/store.js';
import type { Connection } from './driver.js';

type Work = () => Promise<unknown>;
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
/** Whoever comes after so long a quiet is taken for the only one. */
const QUIET_MS = 5;

export class GroupCommit {
  readonly #waiting: Waiting[] = [];
  #committing = false;
  #lastAt = 0;

  constructor(
    /** What the works write to as well, and nobody else. */
    readonly connection: Connection,
    readonly clock: Clock,
    readonly busyMs: number,
  ) {}

  take<Result>(work: () => Promise<Result>, durability: Durability): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ work, durability, resolve: (result) => resolve(result as Result), reject });
      if (!this.#committing) void this.#commitAll();
    });
  }

  async #commitAll(): Promise<void> {
    this.#committing = true;
    while (this.#waiting.length > 0) {
      // Whatever comes in the same round of the event loop shares the flush; the first after a quiet waits for nobody.
      if (this.clock.monotonic() - this.#lastAt < QUIET_MS) await roundOver();
      await this.#commit(this.#waiting.splice(0, MOST));
      this.#lastAt = this.clock.monotonic();
    }
    this.#committing = false;
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#flushed(group);
      group.forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index];
        if (outcome && 'done' in outcome) resolve(outcome.done);
        else reject(outcome?.failed);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  /** Every commit is flushed, but for a group in which nobody asked for it. */
  async #flushed(group: readonly Waiting[]): Promise<readonly Outcome[]> {
    if (group.some(({ durability }) => durability === 'power cut')) return this.#inTransaction(group);
    this.connection.exec('PRAGMA synchronous = NORMAL');
    try {
      return await this.#inTransaction(group);
    } finally {
      this.connection.exec('PRAGMA synchronous = FULL');
    }
  }

  async #inTransaction(group: readonly Waiting[]): Promise<readonly Outcome[]> {
    await this.#begin();
    try {
      const [first, ...others] = group;
      const alone = first && others.length === 0;
      const outcomes = alone ? [{ done: await first.work() }] : await this.#eachApart(group);
      this.connection.perform('COMMIT');
      return outcomes;
    } catch (error) {
      this.#undo();
      throw error;
    }
  }

  /** A foreign program may hold the store for a while; waited for without standing still. */
  async #begin(): Promise<void> {
    for (const givingUpAt = this.clock.monotonic() + this.busyMs; ;)
      try {
        return this.connection.perform('BEGIN IMMEDIATE');
      } catch (error) {
        const busy = error instanceof Error && /locked|busy/i.test(error.message);
        if (!busy || this.clock.monotonic() > givingUpAt) throw error;
        await pause(this.clock, LOOK_AGAIN_MS);
      }
  }

  /** A disk that is full has already undone everything by itself; the error that matters is the first one. */
  #undo(): void {
    try {
      this.connection.perform('ROLLBACK');
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
    }
  }

  async #eachApart(group: readonly Waiting[]): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const { work } of group) outcomes.push(await this.#attempt(work));
    return outcomes;
  }

  async #attempt(work: Work): Promise<Outcome> {
    this.connection.perform('SAVEPOINT work');
    try {
      const done = await work();
      this.connection.perform('RELEASE work');
      return { done };
    } catch (failed) {
      // Fails itself when a full disk has undone everything: then the whole group is told.
      this.connection.exec('ROLLBACK TO work; RELEASE work');
      return { failed };
    }
  }
}
