/**
 * Which matches of one process become notices.
 *
 *   open ──match──▶ notify, cooling until +15 s ──match──▶ held back and counted, one strike for this window
 *    ▲                     │                                    │
 *    └──── time is up ─────┘                                    └─ third strike in a row ──▶ disable, ended
 *
 *   1. At most one notice a window; a window begins with its notice.
 *   2. Many held back in one window are one strike. Strikes are in a row when each window begins before the one before
 *      it has been quiet for as long as it lasted; a window with nothing held back clears them.
 *   3. What was held back is told once: by the next notice, by the disabling, or by whoever reads it at the end.
 *   4. After the end nothing is told, whatever is still in the buffer.
 *   5. No window lasts longer than the figures say, however far the clock is set back.
 *
 * A window closes when the next match looks at it, not by a timer: the state is plain data that survives a restart.
 */
import type { Instant } from './process.js';

export type WatchFigures = { readonly cooldownMs: number; readonly strikes: number };

/** A line that held a pattern. `number` is the offset at which the line begins: the same line always has the same. */
export type Match = { readonly pattern: string; readonly text: string; readonly number: number };

export type Watch =
  | { readonly kind: 'open'; readonly strikes: number; readonly heldBack: number }
  | {
      readonly kind: 'cooling';
      readonly until: Instant;
      readonly strikes: number;
      readonly heldBack: number;
      /** This window has its strike already. */
      readonly struck: boolean;
    }
  | { readonly kind: 'ended'; readonly heldBack: number; readonly why: 'strikes' | 'processEnded' };

export type WatchInput =
  /** `more`: so many further lines of the same read matched too. */
  | { readonly kind: 'match'; readonly match: Match; readonly more?: number }
  /** The breaker held back a notice that we wanted, and with it the count that the notice would have told. */
  | { readonly kind: 'silenced'; readonly heldBack: number }
  | { readonly kind: 'processEnded' };

export type WatchEffect =
  /** `heldBack`: how many matches were held back since the last notice that was told. */
  | { readonly kind: 'notify'; readonly match: Match; readonly heldBack: number }
  /** Tell that watching is over, and owe the completion instead. */
  | { readonly kind: 'disable'; readonly heldBack: number; readonly strikes: number };

export type WatchStep = { readonly state: Watch; readonly effects: readonly WatchEffect[] };

export const watching: Watch = { kind: 'open', strikes: 0, heldBack: 0 };

export function step(watch: Watch, input: WatchInput, now: Instant, figures: WatchFigures): WatchStep {
  switch (input.kind) {
    case 'match':
      return matched(watch, input.match, input.more ?? 0, now, figures);
    case 'silenced':
      return { state: { ...watch, heldBack: watch.heldBack + input.heldBack + 1 }, effects: [] };
    case 'processEnded':
      return { state: ended(watch), effects: [] };
  }
}

type Open = Extract<Watch, { kind: 'open' }>;
type Cooling = Extract<Watch, { kind: 'cooling' }>;

function matched(watch: Watch, match: Match, more: number, now: Instant, figures: WatchFigures): WatchStep {
  const current = asOf(now, watch, figures);
  switch (current.kind) {
    case 'open':
      return notified(current, match, more, now, figures);
    case 'cooling':
      return heldBack(current, 1 + more, figures);
    case 'ended':
      return { state: current, effects: [] };
  }
}

/** The same watch with the passing of time applied. */
function asOf(now: Instant, watch: Watch, { cooldownMs }: WatchFigures): Watch {
  if (watch.kind !== 'cooling') return watch;
  if (now < watch.until) return { ...watch, until: Math.min(watch.until, now + cooldownMs) };
  const inARow = watch.struck && now < watch.until + cooldownMs;
  return { kind: 'open', strikes: inARow ? watch.strikes : 0, heldBack: watch.heldBack };
}

function notified(open: Open, match: Match, more: number, now: Instant, figures: WatchFigures): WatchStep {
  const until = now + figures.cooldownMs;
  const window: Cooling = { kind: 'cooling', until, strikes: open.strikes, heldBack: 0, struck: false };
  const { state, effects } = heldBack(window, more, figures);
  return { state, effects: [{ kind: 'notify', match, heldBack: open.heldBack }, ...effects] };
}

function heldBack(window: Cooling, count: number, figures: WatchFigures): WatchStep {
  if (count === 0) return { state: window, effects: [] };
  const strikes = window.struck ? window.strikes : window.strikes + 1;
  if (strikes >= figures.strikes) return disabled(window.heldBack + 1, strikes);
  return { state: { ...window, strikes, heldBack: window.heldBack + count, struck: true }, effects: [] };
}

const disabled = (heldBack: number, strikes: number): WatchStep => ({
  state: { kind: 'ended', heldBack: 0, why: 'strikes' },
  effects: [{ kind: 'disable', heldBack, strikes }],
});

const ended = (watch: Watch): Watch =>
  watch.kind === 'ended' ? watch : { kind: 'ended', heldBack: watch.heldBack, why: 'processEnded' };
