/** Which browsers look at the live view just now, in any of their tabs. */
import type { BrowserId } from '../../contract/ids.js';

export class Presence {
  readonly #views = new Map<BrowserId, number>();

  /** Until it is disposed of, which is done once. */
  opened(browser: BrowserId): Disposable {
    this.#count(browser, 1);
    return { [Symbol.dispose]: () => this.#count(browser, -1) };
  }

  isHere(browser: BrowserId): boolean {
    return this.#views.has(browser);
  }

  #count(browser: BrowserId, more: 1 | -1): void {
    const views = (this.#views.get(browser) ?? 0) + more;
    if (views > 0) this.#views.set(browser, views);
    else this.#views.delete(browser);
  }
}
