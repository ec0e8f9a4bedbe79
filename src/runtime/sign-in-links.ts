/**
 * The codes in sign-in links. They live as long as the host and no longer.
 *
 *   1. A code is taken once; of two who bring it at the same time one gets in.
 *   2. It is good for 15 minutes; the one that a host prints when it starts, until it is taken.
 *   3. Nobody tries codes in numbers: after ten wrong ones in ten seconds none is looked at until these are over.
 */
import type { Clock } from '../clock.js';
import { digestOf } from './digest.js';

const GOOD_FOR_MS = 900_000;
const MOST_CODES = 100;
const WRONG = { most: 10, withinMs: 10_000 };

export class SignInLinks {
  /** By digest, in the order in which they were made: until when each is good. */
  readonly #codes = new Map<string, number>();
  #wrongAt: readonly number[] = [];

  constructor(
    readonly clock: Clock,
    readonly newCode: () => string,
  ) {}

  issue(): { readonly code: string; readonly expiresAt: number } {
    const code = this.#add(this.clock.monotonic() + GOOD_FOR_MS);
    return { code, expiresAt: this.clock.now() + GOOD_FOR_MS };
  }

  /** Good until it is taken. */
  issueLasting(): string {
    return this.#add(Infinity);
  }

  take(code: string): 'taken' | 'wrong' | 'too many wrong' {
    const now = this.clock.monotonic();
    this.#wrongAt = this.#wrongAt.filter((at) => now - at < WRONG.withinMs);
    if (this.#wrongAt.length >= WRONG.most) return 'too many wrong';
    const digest = digestOf(code);
    const goodUntil = this.#codes.get(digest) ?? -Infinity;
    this.#codes.delete(digest);
    if (now < goodUntil) return 'taken';
    this.#wrongAt = [...this.#wrongAt, now];
    return 'wrong';
  }

  #add(goodUntil: number): string {
    const code = this.newCode();
    this.#codes.set(digestOf(code), goodUntil);
    // Whoever asks for more than anybody needs loses the oldest, but never the one that lasts.
    const expiring = [...this.#codes].filter(([, until]) => until < Infinity);
    for (const [digest] of expiring.slice(0, -MOST_CODES)) this.#codes.delete(digest);
    return code;
  }
}
