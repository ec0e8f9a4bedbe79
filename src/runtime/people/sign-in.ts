/** The browsers that are signed in, remembered over restarts. What is asked for at every request is in memory. */
import type { Clock } from '../../ports/clock.js';
import type { BrowserId } from '../../contract/ids.js';
import { isIn, isUseWorthNoting, withBrowser, withUse, type Browser } from '../../domain/people/sign-in.js';
import type { Durability, Store } from '../../ports/store.js';
import { digestOf } from './digest.js';

const NAME = 'signed-in browsers';

/** One half is worth nothing without the other. */
export type Credential = { readonly secret: string; readonly key: string };

type SigningIn = { readonly key: string; readonly secure: boolean };

export class Browsers {
  #signedIn: readonly Browser[] = [];
  /** One change after the other, so that memory and store see them in the same order. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #stays = new Map<BrowserId, AbortController>();

  constructor(
    readonly store: Store,
    readonly clock: Clock,
    readonly newId: () => BrowserId,
    readonly newSecret: () => string,
  ) {}

  async recall(): Promise<void> {
    this.#signedIn = ((await this.store.kept.get(NAME)) ?? []) as readonly Browser[];
  }

  /** Returns the secret for the cookie, once; only its digest is kept, together with the key of the page. */
  async signIn({ key, secure }: SigningIn): Promise<{ readonly browser: Browser; readonly secret: string }> {
    const secret = this.newSecret();
    const now = this.clock.now();
    const digest = digestOfBoth({ secret, key });
    const browser = { id: this.newId(), digest, secure, signedInAt: now, usedAt: now };
    await this.#change((signedIn) => withBrowser(signedIn, browser, now));
    return { browser, secret };
  }

  /** Tells how many were signed in. */
  async signOut(which: BrowserId | 'all'): Promise<number> {
    let count = 0;
    await this.#change((signedIn) => {
      const left = signedIn.filter(({ id }) => which !== 'all' && id !== which);
      count = signedIn.length - left.length;
      return left;
    });
    return count;
  }

  of(credential: Credential): Browser | undefined {
    const digest = digestOfBoth(credential);
    const now = this.clock.now();
    return this.#signedIn.find((browser) => browser.digest === digest && isIn(browser, now));
  }

  get(id: BrowserId): Browser | undefined {
    return this.#signedIn.find((browser) => browser.id === id);
  }

  isSignedIn(id: BrowserId): boolean {
    const browser = this.get(id);
    return browser !== undefined && isIn(browser, this.clock.now());
  }

  /** Writes down that it was used, if that was not done today. */
  async use(browser: Browser): Promise<void> {
    const now = this.clock.now();
    // Losing this one to a power cut costs nothing: it is written again at the next use.
    await this.#change((signedIn) => withUse(signedIn, browser.id, now), 'crash');
  }

  isUseWorthNoting(browser: Browser): boolean {
    return isUseWorthNoting(browser, this.clock.now());
  }

  /** Aborted when the browser is signed out, or when the host stops. */
  stay(id: BrowserId): AbortSignal {
    const stay = this.#stays.get(id) ?? new AbortController();
    this.#stays.set(id, stay);
    return stay.signal;
  }

  /** Whoever is here goes; all of them stay signed in. */
  close(): void {
    for (const stay of this.#stays.values()) stay.abort();
  }

  #change(change: (signedIn: readonly Browser[]) => readonly Browser[], durability?: Durability): Promise<void> {
    const changing = this.#last.then(async () => {
      const next = change(this.#signedIn);
      await this.store.transact(({ kept }) => kept.put(NAME, next), durability);
      this.#signedIn = next;
      this.#sendAway();
    });
    this.#last = changing.catch(() => undefined);
    return changing;
  }

  #sendAway(): void {
    for (const [id, stay] of this.#stays)
      if (!this.get(id)) {
        this.#stays.delete(id);
        stay.abort();
      }
  }
}

/** A browser that signed in to a version without keys matches no digest of both, and has to sign in again. */
const digestOfBoth = ({ secret, key }: Credential): string => digestOf(`${secret} ${key}`);
