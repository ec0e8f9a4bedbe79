/** Runs work one piece at a time per key, in the order of its arrival. A failure goes to its caller and stops nothing. */
export class SerialQueue<Key> {
  readonly #last = new Map<Key, Promise<unknown>>();

  run<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(work);
    const over: Promise<unknown> = result
      .catch(() => undefined)
      .finally(() => this.#last.get(key) === over && this.#last.delete(key));
    this.#last.set(key, over);
    return result;
  }

  /** Resolves when nothing runs or waits. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}
