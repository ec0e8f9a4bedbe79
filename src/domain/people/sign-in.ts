/**
 * Access: which browsers are signed in, which codes sign another one in, and which tokens are good.
 *
 *   1. A browser that was not used for 30 days is signed out, whatever its cookie says.
 *   2. There are at most 50; a new one replaces the one that was not used for the longest time.
 *   3. A use is stored once a day, not at every request.
 *   4. A code works once, for 15 minutes; there are at most 100, and a new one replaces the oldest.
 *   5. Wrong codes change nothing. A code has 256 random bits, so guessing needs no limit, and any limit on wrong codes
 *      would let anyone who reaches the host lock out its owner, who comes from the same address.
 */
import type { BrowserId } from '../../contract/ids.js';
import type { Instant } from '../process/process.js';

export type Browser = {
  readonly id: BrowserId;
  /** Of the secret in its cookie together with the key that its page keeps. */
  readonly digest: string;
  /** Came by https: then its cookie goes no other way. */
  readonly secure: boolean;
  readonly signedInAt: Instant;
  readonly usedAt: Instant;
};

export const DAY_MS = 86_400_000;
export const SIGNED_IN_DAYS = 30;
export const MOST_BROWSERS = 50;

export const isIn = ({ usedAt }: Browser, now: Instant): boolean => now - usedAt < SIGNED_IN_DAYS * DAY_MS;

export const isUseWorthNoting = ({ usedAt }: Browser, now: Instant): boolean => now - usedAt >= DAY_MS;

export const withBrowser = (browsers: readonly Browser[], browser: Browser, now: Instant): readonly Browser[] =>
  [...browsers.filter((known) => isIn(known, now)), browser]
    .toSorted((one, other) => one.usedAt - other.usedAt)
    .slice(-MOST_BROWSERS);

export const withUse = (browsers: readonly Browser[], id: BrowserId, now: Instant): readonly Browser[] =>
  browsers.map((known) => (known.id === id ? { ...known, usedAt: now } : known));

export type Code = { readonly digest: string; readonly goodUntil: Instant };

export const CODE_MS = 900_000;
const MOST_CODES = 100;

export const withCode = (codes: readonly Code[], digest: string, now: Instant): readonly Code[] =>
  [...codes, { digest, goodUntil: now + CODE_MS }].slice(-MOST_CODES);

export const redeemed = (
  codes: readonly Code[],
  digest: string,
  now: Instant,
): { readonly good: boolean; readonly left: readonly Code[] } => ({
  good: codes.some((code) => code.digest === digest && now < code.goodUntil),
  left: codes.filter((code) => code.digest !== digest),
});

const SHORTEST = 32;

/**
 * Why a host must not use a token, and how to make another: it could be guessed, or is not valid in a header (RFC 6750).
 * `source` names where the token comes from.
 */
export function weakness(token: string, source: string): string | undefined {
  if (token.length < SHORTEST)
    return `The token in ${source} has ${token.length} of at least ${SHORTEST} characters. ${REMEDY}`;
  return /^[\w.~+/-]+=*$/.test(token)
    ? undefined
    : `The token in ${source} has characters that are not allowed in a header. ${REMEDY}`;
}

const REMEDY = 'Make one with: openssl rand -hex 32';
