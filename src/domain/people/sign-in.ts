/**
 * Which browsers are signed in.
 *
 *   1. One that was not used for 30 days is out, whatever its cookie says.
 *   2. There are at most 50; a new one takes the place of the one that was not used for the longest time.
 *   3. A use is written down once a day and not at every request.
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
