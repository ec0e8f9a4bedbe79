/**
 * At most one drain at a time for each key; any number of wakes during a drain become exactly one more.
 * A wake is advice, never data: a lost one costs latency, a spare one costs a look.
 */
export class Wakes<Key> {
  readonly #draining = new Map<Key, { again: boolean; done: Promise<void> }>();

  constructor(
    readonly drain: (key: Key) => Promise<void>,
    readonly fault: (error: unknown) => void,
  ) {}

  /** The promise is over when a drain that began after this call is. */
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

  /** Over when no drain is under way. */
  async quiet(): Promise<void> {
    while (this.#draining.size > 0) await Promise.all([...this.#draining.values()].map(({ done }) => done));
  }

  async #drainUntilQuiet(key: Key, entry: { again: boolean }): Promise<void> {
    while (entry.again) {
      entry.again = false;
      await this.drain(key).catch(this.fault);
    }
    this.#draining.delete(key);
  }
}
