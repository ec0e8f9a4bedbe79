/** Functions that are called, in the order of their arrival, whenever something happens. */
import type { SessionId } from '../contract/ids.js';

export class Listeners<Args extends readonly unknown[]> {
  readonly #all = new Set<(...args: Args) => void>();

  notify(...args: Args): void {
    for (const listener of this.#all) listener(...args);
  }

  /** Listens until it is disposed. */
  listen(listener: (...args: Args) => void): Disposable {
    this.#all.add(listener);
    return { [Symbol.dispose]: () => this.#all.delete(listener) };
  }
}

/** Signals that something of a session has changed. A hint only: the listener reads the store. */
export class News extends Listeners<[session: SessionId]> {}
