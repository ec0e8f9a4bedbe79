/** Signing in: the codes of sign-in links, and the browsers that used one. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../ports/clock.js';
import type { BrowserId } from '../../contract/ids.js';
import {
  CODE_MS,
  isIn,
  isUseWorthNoting,
  redeemed,
  withBrowser,
  withCode,
  withUse,
  type Browser,
  type Code,
} from '../../domain/people/sign-in.js';
import type { Store } from '../../ports/store.js';
import { KeptList } from './kept-list.js';

/** Represents a secret where the secret itself must not be stored or compared. */
export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** The codes in sign-in links. They end with the host. */
export class SignInLinks {
  #codes: readonly Code[] = [];

  constructor(
    readonly clock: Clock,
    readonly newCode: () => string,
  ) {}

  issue(): { readonly code: string; readonly expiresAt: number } {
    const code = this.newCode();
    this.#codes = withCode(this.#codes, digestOf(code), this.clock.monotonic());
    return { code, expiresAt: this.clock.now() + CODE_MS };
  }

  take(code: string): 'taken' | 'wrong' {
    const { good, left } = redeemed(this.#codes, digestOf(code), this.clock.monotonic());
    this.#codes = left;
    return good ? 'taken' : 'wrong';
  }

  voidAll(): void {
    this.#codes = [];
  }
}

/** One half is worth nothing without the other. */
export type Credential = { readonly secret: string; readonly key: string };

type SigningIn = { readonly key: string; readonly secure: boolean };

/** The browsers that are signed in, remembered across restarts. Every request is checked against memory. */
export class Browsers {
  readonly #signedIn: KeptList<Browser>;
  readonly #stays = new Map<BrowserId, AbortController>();

  constructor(
    store: Store,
    readonly clock: Clock,
    readonly newId: () => BrowserId,
    readonly newSecret: () => string,
  ) {
    this.#signedIn = new KeptList(store, 'signed-in browsers');
  }

  recall(): Promise<void> {
    return this.#signedIn.recall();
  }

  /** Returns the secret for the cookie, once; only its digest is kept, together with the key of the page. */
  async signIn({ key, secure }: SigningIn): Promise<{ readonly browser: Browser; readonly secret: string }> {
    const secret = this.newSecret();
    const now = this.clock.now();
    const digest = digestOfBoth({ secret, key });
    const browser = { id: this.newId(), digest, secure, signedInAt: now, usedAt: now };
    await this.#signedIn.change((signedIn) => withBrowser(signedIn, browser, now));
    this.#endStays();
    return { browser, secret };
  }

  /** Returns how many were signed in. */
  async signOut(which: BrowserId | 'all'): Promise<number> {
    let count = 0;
    await this.#signedIn.change((signedIn) => {
      const left = signedIn.filter(({ id }) => which !== 'all' && id !== which);
      count = signedIn.length - left.length;
      return left;
    });
    this.#endStays();
    return count;
  }

  of(credential: Credential): Browser | undefined {
    const digest = digestOfBoth(credential);
    const now = this.clock.now();
    return this.#signedIn.all.find((browser) => browser.digest === digest && isIn(browser, now));
  }

  get(id: BrowserId): Browser | undefined {
    return this.#signedIn.all.find((browser) => browser.id === id);
  }

  isSignedIn(id: BrowserId): boolean {
    const browser = this.get(id);
    return browser !== undefined && isIn(browser, this.clock.now());
  }

  /** Stores that it was used. A power cut may lose this: the next use stores it again. */
  async use(browser: Browser): Promise<void> {
    const now = this.clock.now();
    await this.#signedIn.change((signedIn) => withUse(signedIn, browser.id, now), 'crash');
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

  /** Ends every visit; all browsers stay signed in. */
  close(): void {
    for (const stay of this.#stays.values()) stay.abort();
  }

  #endStays(): void {
    for (const [id, stay] of this.#stays)
      if (!this.get(id)) {
        this.#stays.delete(id);
        stay.abort();
      }
  }
}

/** A browser that signed in to a version without keys matches no digest of both, and has to sign in again. */
const digestOfBoth = ({ secret, key }: Credential): string => digestOf(`${secret} ${key}`);
