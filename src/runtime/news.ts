/** Who is told that something of a session has changed. Advice only: whoever hears it looks at the store. */
import type { SessionId } from '../contract/ids.js';

export class News {
  readonly #listeners = new Set<(session: SessionId) => void>();

  ring(session: SessionId): void {
    for (const heard of this.#listeners) heard(session);
  }

  listen(heard: (session: SessionId) => void): Disposable {
    this.#listeners.add(heard);
    return { [Symbol.dispose]: () => this.#listeners.delete(heard) };
  }
}
