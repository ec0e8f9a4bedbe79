/**
 * Runs at most one drain per key at a time; any number of wakes during a drain cause exactly one more.
 * A wake is a hint: losing one costs latency, an extra one costs a query.
 */
export class Drains<Key> {
  readonly #draining = new Map<Key, { again: boolean; done: Promise<void> }>();

  constructor(
    readonly drain: (key: Key) => Promise<void>,
    readonly failed: (error: unknown, key: Key) => void,
  ) {}

  /** Resolves when a drain that began after this call is over. */
  wake(key: Key): Promise<void> {
    const draining = this.#draining.get(key);
    if (draining) {
      draining.again = true;
      return draining.done;
    }
    const entry = { again: true, done: Promise.resolve() };
    this.#draining.set(key, entry);
    entry.done = this.#drainUntilQuiet(key, entry);
    return entry.done;
  }

  /** Resolves when no drain is running. */
  async quiet(): Promise<void> {
    while (this.#draining.size > 0) await Promise.all([...this.#draining.values()].map(({ done }) => done));
  }

  async #drainUntilQuiet(key: Key, entry: { again: boolean }): Promise<void> {
    while (entry.again) {
      entry.again = false;
      await this.drain(key).catch((error: unknown) => this.failed(error, key));
    }
    this.#draining.delete(key);
  }
}
