/** The browsers that want to be told when their page is closed, and how far each was told; remembered over restarts. */
import type { BrowserId } from '../../contract/ids.js';
import type { PushKeys, Subscription } from '../../ports/push.js';
import type { Durability, Store } from '../../ports/store.js';

/** `after` is the number up to which everything was told, or was not to be told. */
export type Subscribed = Subscription & { readonly browser: BrowserId; readonly after: number };

type Change = (all: readonly Subscribed[]) => readonly Subscribed[];

const SUBSCRIPTIONS = 'push subscriptions';
const KEYS = 'push keys';

export class Subscriptions {
  #all: readonly Subscribed[] = [];
  #keys: PushKeys | undefined;
  /** One change after the other, so that memory and store see them in the same order. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly store: Store,
    readonly newKeys: () => PushKeys,
  ) {}

  /** The keys are made once: every subscription is bound to them. */
  async recall(): Promise<void> {
    this.#all = ((await this.store.kept.get(SUBSCRIPTIONS)) ?? []) as readonly Subscribed[];
    this.#keys = (await this.store.kept.get(KEYS)) as PushKeys | undefined;
    if (this.#keys) return;
    const keys = this.newKeys();
    // A power cut takes this away only together with everything that came after it.
    await this.store.transact(({ kept }) => kept.put(KEYS, keys), 'crash');
    this.#keys = keys;
  }

  get keys(): PushKeys {
    if (!this.#keys) throw new Error('The keys for pushing were asked for before they were recalled.');
    return this.#keys;
  }

  get all(): readonly Subscribed[] {
    return this.#all;
  }

  of(browser: BrowserId): Subscribed | undefined {
    return this.#all.find((subscribed) => subscribed.browser === browser);
  }

  /** From here on. A browser that has signed in anew is another one to us, but brings the same endpoint. */
  async add(browser: BrowserId, { endpoint, keys: { p256dh, auth } }: Subscription): Promise<void> {
    const after = await this.store.head();
    await this.#change((all) => [
      ...all.filter((known) => known.browser !== browser && known.endpoint !== endpoint),
      { browser, endpoint, keys: { p256dh, auth }, after },
    ]);
  }

  async remove(browser: BrowserId): Promise<void> {
    if (this.of(browser)) await this.#change((all) => all.filter((known) => known.browser !== browser));
  }

  /** Up to here it is settled. Lost to a power cut, this costs a word that is sent again under the same tag. */
  async reach(browser: BrowserId, seq: number): Promise<void> {
    await this.#change(reached(browser, seq), 'crash');
  }

  /** Up to here there was nothing to settle: stored with the next change, whenever that is. */
  pass(browser: BrowserId, seq: number): void {
    this.#all = reached(browser, seq)(this.#all);
  }

  #change(change: Change, durability?: Durability): Promise<void> {
    const changing = this.#last.then(async () => {
      await this.store.transact(({ kept }) => kept.put(SUBSCRIPTIONS, change(this.#all)), durability);
      this.#all = change(this.#all);
    });
    this.#last = changing.catch(() => undefined);
    return changing;
  }
}

/** Never back: one who subscribed again meanwhile has begun further on. */
const reached =
  (browser: BrowserId, seq: number): Change =>
  (all) =>
    all.map((known) => (known.browser === browser ? { ...known, after: Math.max(known.after, seq) } : known));
