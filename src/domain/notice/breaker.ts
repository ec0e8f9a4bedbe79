/**
 * Too many matches over all processes.
 *
 *   closed ──match──▶ pass … more than 15 in 10 s ──▶ trip ──▶ silent for 30 s ──match──▶ hold
 *     ▲                                                           │
 *     └──────────── release, with what was held back ─────────────┘  at the tick, or at the next match
 *
 *   1. No more than `max` matches pass in any `windowMs`.
 *   2. The match that trips it is held back and counted, and is the one that is named.
 *   3. Each trip has one release, when its time is up, also if no further match ever comes.
 *   4. No silence lasts longer than the figures say, however far the clock is set back.
 */
import type { ProcessId, SessionId } from '../../contract/ids.js';
import type { Instant } from '../process/process.js';
import { step as stepWatch, type Watch, type WatchEffect, type WatchFigures, type WatchInput } from './watch.js';

export type BreakerFigures = { readonly max: number; readonly windowMs: number; readonly silenceMs: number };

/** The match that was one too many, by its session, its process and its number there. */
export type Tripper = { readonly session: SessionId; readonly process: ProcessId; readonly number: number };

export type Breaker =
  /** `recent`: when the matches of the last window passed, oldest first. */
  | { readonly kind: 'closed'; readonly recent: readonly Instant[] }
  | { readonly kind: 'silent'; readonly until: Instant; readonly heldBack: number; readonly by: Tripper };

export type BreakerInput =
  | { readonly kind: 'match'; readonly who: Tripper }
  /** Time has passed: look whether the silence is over. Too early is harmless; then look again at `until`. */
  | { readonly kind: 'tick' };

export type BreakerEffect =
  | { readonly kind: 'pass' }
  | { readonly kind: 'hold' }
  | { readonly kind: 'trip'; readonly by: Tripper; readonly until: Instant }
  | { readonly kind: 'release'; readonly by: Tripper; readonly heldBack: number };

export type BreakerStep = { readonly state: Breaker; readonly effects: readonly BreakerEffect[] };

export const closed: Breaker = { kind: 'closed', recent: [] };

/** A match gets exactly one `pass` or `hold`; a trip or a release may come with it. */
export function step(breaker: Breaker, input: BreakerInput, now: Instant, figures: BreakerFigures): BreakerStep {
  const { state, effects } = asOf(now, breaker, figures);
  if (input.kind === 'tick') return { state, effects };
  const answered = matched(state, input.who, now, figures);
  return { state: answered.state, effects: [...effects, ...answered.effects] };
}

/** The same breaker with the passing of time applied. */
function asOf(now: Instant, breaker: Breaker, figures: BreakerFigures): BreakerStep {
  switch (breaker.kind) {
    case 'closed':
      return { state: { kind: 'closed', recent: within(figures.windowMs, now, breaker.recent) }, effects: [] };
    case 'silent':
      return now < breaker.until
        ? { state: { ...breaker, until: Math.min(breaker.until, now + figures.silenceMs) }, effects: [] }
        : { state: closed, effects: [{ kind: 'release', by: breaker.by, heldBack: breaker.heldBack }] };
  }
}

/** What lies in the future was stamped before the clock was set back: it counts as having happened just now. */
const within = (windowMs: number, now: Instant, instants: readonly Instant[]): readonly Instant[] =>
  instants.map((at) => Math.min(at, now)).filter((at) => now - at < windowMs);

function matched(breaker: Breaker, who: Tripper, now: Instant, figures: BreakerFigures): BreakerStep {
  switch (breaker.kind) {
    case 'silent':
      return { state: { ...breaker, heldBack: breaker.heldBack + 1 }, effects: [{ kind: 'hold' }] };
    case 'closed':
      return breaker.recent.length < figures.max
        ? { state: { kind: 'closed', recent: [...breaker.recent, now] }, effects: [{ kind: 'pass' }] }
        : tripped(who, now + figures.silenceMs);
  }
}

const tripped = (by: Tripper, until: Instant): BreakerStep => ({
  state: { kind: 'silent', until, heldBack: 1, by },
  effects: [{ kind: 'hold' }, { kind: 'trip', by, until }],
});

export type WatchingFigures = { readonly watch: WatchFigures; readonly breaker: BreakerFigures };

/** A fact that becomes a notice. */
export type Fact =
  | Exclude<WatchEffect, { readonly kind: 'notify' }>
  | Extract<BreakerEffect, { readonly kind: 'trip' | 'release' }>;

export type Decided = { readonly watch: Watch; readonly breaker: Breaker; readonly facts: readonly Fact[] };

/** Which facts an input of a watch leads to: the watch of one process and the breaker of all, one behind the other. */
export function decide(
  before: Omit<Decided, 'facts'>,
  input: WatchInput,
  who: Tripper,
  now: Instant,
  figures: WatchingFigures,
): Decided {
  const { state, effects } = stepWatch(before.watch, input, now, figures.watch);
  let decided: Decided = { watch: state, breaker: before.breaker, facts: [] };
  for (const effect of effects)
    decided =
      effect.kind === 'notify'
        ? throughBreaker(decided, effect, who, now, figures)
        : { ...decided, facts: [...decided.facts, effect] };
  return decided;
}

/** A match that the breaker holds back waits in its watch. */
function throughBreaker(
  decided: Decided,
  { match, heldBack }: Extract<WatchEffect, { kind: 'notify' }>,
  who: Tripper,
  now: Instant,
  figures: WatchingFigures,
): Decided {
  let { watch, facts } = decided;
  const { state, effects } = step(decided.breaker, { kind: 'match', who }, now, figures.breaker);
  for (const effect of effects)
    switch (effect.kind) {
      case 'pass':
        facts = [...facts, { kind: 'report', match, heldBack }];
        break;
      case 'hold':
        watch = stepWatch(watch, { kind: 'silenced', match, heldBack }, now, figures.watch).state;
        break;
      case 'trip':
      case 'release':
        facts = [...facts, effect];
        break;
    }
  return { watch, breaker: state, facts };
}
