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
 *   3. What was held back is reported once: by the next notice, when the silence of the breaker is over, by the
 *      disabling, or together with the end of the process.
 *   4. The end closes the watch: what matched up to it and was not reported makes one last notice. After it, nothing.
 *   5. No window lasts longer than the figures say, however far the clock is set back.
 *
 * A window closes when the next match looks at it, not by a timer: the state is plain data that survives a restart.
 */
import type { Instant } from '../process/process.js';

export type WatchFigures = { readonly cooldownMs: number; readonly strikes: number };

/** A line that held a pattern. `number` is the offset at which the line begins: the same line always has the same. */
export type Match = { readonly pattern: string; readonly text: string; readonly number: number };

/** The first match of some output, how many further lines matched, and the last of them. */
export type Found = { readonly match: Match; readonly more: number; readonly last?: Match };

/** Matches that no notice has reported. `silenced`: the breaker held one of them back, and they wait for its release. */
export type Held = { readonly count: number; readonly last: Match; readonly silenced: boolean };

export type Watch =
  | { readonly kind: 'open'; readonly strikes: number; readonly held?: Held }
  | {
      readonly kind: 'cooling';
      readonly until: Instant;
      readonly strikes: number;
      readonly held?: Held;
      /** This window has its strike already. */
      readonly struck: boolean;
    }
  /** `heldBack` counts matches that are reported with the completion. */
  | { readonly kind: 'ended'; readonly heldBack: number };

export type WatchInput =
  | { readonly kind: 'match'; readonly found: Found }
  /** The breaker held back a notice that we wanted, and with it the count that the notice would have reported. */
  | { readonly kind: 'silenced'; readonly match: Match; readonly heldBack: number }
  /** The silence of the breaker is over. */
  | { readonly kind: 'released' }
  /** `found`: what matched in the output that had not been searched when the process ended. */
  | { readonly kind: 'processEnded'; readonly found?: Found };

export type WatchEffect =
  /** Report a match, unless the breaker holds it back. `heldBack`: how many others were held back since the last notice. */
  | { readonly kind: 'notify'; readonly match: Match; readonly heldBack: number }
  /** Report a match whatever the breaker says: its silence is over, or the process is. */
  | { readonly kind: 'report'; readonly match: Match; readonly heldBack: number }
  /** Report that watching is over, and owe the completion instead. */
  | { readonly kind: 'disable'; readonly heldBack: number; readonly strikes: number };

export type WatchStep = { readonly state: Watch; readonly effects: readonly WatchEffect[] };

export const watching: Watch = { kind: 'open', strikes: 0 };

export function step(watch: Watch, input: WatchInput, now: Instant, figures: WatchFigures): WatchStep {
  const current = asOf(now, watch, figures);
  if (current.kind === 'ended')
    return input.kind === 'silenced' ? silencedAtTheEnd(current, input.heldBack) : unchanged(current);
  switch (input.kind) {
    case 'match':
      return matched(current, input.found, now, figures);
    case 'silenced':
      return silenced(current, input.match, input.heldBack);
    case 'released':
      return released(current, now, figures);
    case 'processEnded':
      return processEnded(current, input.found);
  }
}

type Open = Extract<Watch, { kind: 'open' }>;
type Cooling = Extract<Watch, { kind: 'cooling' }>;
type Ended = Extract<Watch, { kind: 'ended' }>;

const unchanged = (state: Watch): WatchStep => ({ state, effects: [] });

/** The same watch with the passing of time applied. */
function asOf(now: Instant, watch: Watch, { cooldownMs }: WatchFigures): Watch {
  if (watch.kind !== 'cooling') return watch;
  if (now < watch.until) return { ...watch, until: Math.min(watch.until, now + cooldownMs) };
  const inARow = watch.struck && now < watch.until + cooldownMs;
  return { kind: 'open', strikes: inARow ? watch.strikes : 0, ...(watch.held && { held: watch.held }) };
}

function matched(watch: Open | Cooling, { match, more, last }: Found, now: Instant, figures: WatchFigures): WatchStep {
  if (watch.kind === 'cooling') return heldBack(watch, 1 + more, last ?? match, figures);
  const window: Cooling = { kind: 'cooling', until: now + figures.cooldownMs, strikes: watch.strikes, struck: false };
  const { state, effects } = heldBack(window, more, last ?? match, figures);
  return { state, effects: [{ kind: 'notify', match, heldBack: watch.held?.count ?? 0 }, ...effects] };
}

function heldBack(window: Cooling, count: number, last: Match, figures: WatchFigures): WatchStep {
  if (count === 0) return unchanged(window);
  const strikes = window.struck ? window.strikes : window.strikes + 1;
  const held = { count: (window.held?.count ?? 0) + count, last, silenced: window.held?.silenced ?? false };
  if (strikes < figures.strikes) return unchanged({ ...window, strikes, held, struck: true });
  return {
    state: { kind: 'ended', heldBack: 0 },
    effects: [{ kind: 'disable', heldBack: held.count, strikes }],
  };
}

function silenced(watch: Open | Cooling, match: Match, heldBack: number): WatchStep {
  const { count, last } = watch.held ?? { count: 0, last: match };
  return unchanged({ ...watch, held: { count: count + heldBack + 1, last, silenced: true } });
}

const silencedAtTheEnd = (ended: Ended, heldBack: number): WatchStep =>
  unchanged({ ...ended, heldBack: ended.heldBack + heldBack + 1 });

/** Its notice begins a window like any other; the one that it cuts short clears the strikes if nothing was held back in it. */
function released(watch: Open | Cooling, now: Instant, { cooldownMs }: WatchFigures): WatchStep {
  const { held } = watch;
  if (!held?.silenced) return unchanged(watch);
  const strikes = watch.kind === 'cooling' && !watch.struck ? 0 : watch.strikes;
  return {
    state: { kind: 'cooling', until: now + cooldownMs, strikes, struck: false },
    effects: [{ kind: 'report', match: held.last, heldBack: held.count - 1 }],
  };
}

/** An open watch would have reported the first of what was found; in a window all of it is held back, and the last is named. */
function processEnded(watch: Open | Cooling, found: Found | undefined): WatchStep {
  const state: Watch = { kind: 'ended', heldBack: 0 };
  const match = (watch.kind === 'open' ? found?.match : (found?.last ?? found?.match)) ?? watch.held?.last;
  if (!match) return unchanged(state);
  const count = (watch.held?.count ?? 0) + (found ? 1 + found.more : 0);
  return { state, effects: [{ kind: 'report', match, heldBack: count - 1 }] };
}
