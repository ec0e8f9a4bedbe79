/**
 * The codes in sign-in links. They live as long as the host and no longer.
 *
 *   1. A code is taken once; of two who bring it at the same time one gets in.
 *   2. It is good for 15 minutes, or until all are voided.
 *   3. Wrong codes change nothing. A code has 256 random bits, so guessing needs no limit, and any limit on wrong codes
 *      would let whoever reaches the host lock out its owner, who comes from the same address.
 */
import type { Clock } from '../../ports/clock.js';
import { digestOf } from './digest.js';

const GOOD_FOR_MS = 900_000;
const MOST_CODES = 100;

export class SignInLinks {
  /** By digest, in the order in which they were made: until when each is good. */
  readonly #codes = new Map<string, number>();

  constructor(
    readonly clock: Clock,
    readonly newCode: () => string,
  ) {}

  issue(): { readonly code: string; readonly expiresAt: number } {
    const code = this.newCode();
    this.#codes.set(digestOf(code), this.clock.monotonic() + GOOD_FOR_MS);
    for (const oldest of [...this.#codes.keys()].slice(0, -MOST_CODES)) this.#codes.delete(oldest);
    return { code, expiresAt: this.clock.now() + GOOD_FOR_MS };
  }

  take(code: string): 'taken' | 'wrong' {
    const digest = digestOf(code);
    const goodUntil = this.#codes.get(digest) ?? -Infinity;
    this.#codes.delete(digest);
    return this.clock.monotonic() < goodUntil ? 'taken' : 'wrong';
  }

  voidAll(): void {
    this.#codes.clear();
  }
}
