/** The browsers to notify when their page is closed, and how far each was notified; remembered across restarts. */
import type { BrowserId } from '../../contract/ids.js';
import type { PushKeys, Subscription } from '../../ports/push.js';
import type { Store } from '../../ports/store.js';
import { KeptList } from './kept-list.js';

/** Everything up to `after` is settled: pushed, or not worth a push. */
export type Subscribed = Subscription & { readonly browser: BrowserId; readonly after: number };

const KEYS = 'push keys';

export class Subscriptions {
  readonly #subscribed: KeptList<Subscribed>;
  #keys: PushKeys | undefined;

  constructor(
    readonly store: Store,
    readonly newKeys: () => PushKeys,
  ) {
    this.#subscribed = new KeptList(store, 'push subscriptions');
  }

  /** The keys are made once: every subscription is bound to them. */
  async recall(): Promise<void> {
    await this.#subscribed.recall();
    this.#keys = (await this.store.values.get(KEYS)) as PushKeys | undefined;
    if (this.#keys) return;
    const keys = this.newKeys();
    // A power cut takes this away only together with everything that came after it.
    await this.store.transact(({ values }) => values.put(KEYS, keys), 'crash');
    this.#keys = keys;
  }

  get keys(): PushKeys {
    if (!this.#keys) throw new Error('The push keys were read before they were recalled.');
    return this.#keys;
  }

  get all(): readonly Subscribed[] {
    return this.#subscribed.all;
  }

  of(browser: BrowserId): Subscribed | undefined {
    return this.all.find((subscribed) => subscribed.browser === browser);
  }

  /** From here on. A browser that signed in again has a new id, but the same endpoint. */
  async add(browser: BrowserId, { endpoint, keys: { p256dh, auth } }: Subscription): Promise<void> {
    const after = await this.store.head();
    await this.#subscribed.change((all) => [
      ...all.filter((known) => known.browser !== browser && known.endpoint !== endpoint),
      { browser, endpoint, keys: { p256dh, auth }, after },
    ]);
  }

  async remove(browser: BrowserId): Promise<void> {
    if (this.of(browser)) await this.#subscribed.change((all) => all.filter((known) => known.browser !== browser));
  }

  /** Up to here it is settled. If a power cut loses this, one push is sent again under the same tag. */
  async reach(browser: BrowserId, seq: number): Promise<void> {
    await this.#subscribed.change(reached(browser, seq), 'crash');
  }

  /** Up to here there was nothing to settle. */
  pass(browser: BrowserId, seq: number): void {
    this.#subscribed.changeInMemory(reached(browser, seq));
  }
}

/** Never back: a browser that subscribed again meanwhile started further on. */
const reached =
  (browser: BrowserId, seq: number) =>
  (all: readonly Subscribed[]): readonly Subscribed[] =>
    all.map((known) => (known.browser === browser ? { ...known, after: Math.max(known.after, seq) } : known));
