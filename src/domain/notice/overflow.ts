/** The watch of one process and the breaker of all, together: which facts an input of the watch comes to. */
import { step as stepBreaker, type Breaker, type BreakerEffect, type BreakerFigures, type Tripper } from './breaker.js';
import type { Instant } from '../process/process.js';
import {
  step as stepWatch,
  type Match,
  type Watch,
  type WatchEffect,
  type WatchFigures,
  type WatchInput,
} from './watch.js';

export type WatchingFigures = { readonly watch: WatchFigures; readonly breaker: BreakerFigures };

/** A fact that is owed, before it has words. */
export type Told =
  | { readonly kind: 'match'; readonly match: Match; readonly heldBack: number }
  | { readonly kind: 'disabled'; readonly heldBack: number; readonly strikes: number }
  | { readonly kind: 'tripped'; readonly by: Tripper }
  | { readonly kind: 'released'; readonly by: Tripper; readonly heldBack: number };

export type Decided = { readonly watch: Watch; readonly breaker: Breaker; readonly told: readonly Told[] };

export function decide(
  before: { readonly watch: Watch; readonly breaker: Breaker },
  input: WatchInput,
  who: Tripper,
  now: Instant,
  figures: WatchingFigures,
): Decided {
  const { state, effects } = stepWatch(before.watch, input, now, figures.watch);
  return effects.reduce((decided: Decided, effect) => heed(decided, effect, who, now, figures), {
    watch: state,
    breaker: before.breaker,
    told: [],
  });
}

function heed(decided: Decided, effect: WatchEffect, who: Tripper, now: Instant, figures: WatchingFigures): Decided {
  switch (effect.kind) {
    case 'report': {
      const { match, heldBack } = effect;
      return { ...decided, told: [...decided.told, { kind: 'match', match, heldBack }] };
    }
    case 'disable': {
      const { heldBack, strikes } = effect;
      return { ...decided, told: [...decided.told, { kind: 'disabled', heldBack, strikes }] };
    }
    case 'notify': {
      const { state, effects } = stepBreaker(decided.breaker, { kind: 'match', who }, now, figures.breaker);
      const held = effects.some(({ kind }) => kind === 'hold');
      const silenced = { kind: 'silenced', match: effect.match, heldBack: effect.heldBack } as const;
      const watch = held ? stepWatch(decided.watch, silenced, now, figures.watch).state : decided.watch;
      const told = effects.flatMap((answer) => toldBy(answer, effect));
      return { watch, breaker: state, told: [...decided.told, ...told] };
    }
  }
}

function toldBy(answer: BreakerEffect, notify: Extract<WatchEffect, { kind: 'notify' }>): Told[] {
  switch (answer.kind) {
    case 'pass':
      return [{ kind: 'match', match: notify.match, heldBack: notify.heldBack }];
    case 'hold':
      return [];
    case 'trip':
      return [{ kind: 'tripped', by: answer.by }];
    case 'release':
      return [{ kind: 'released', by: answer.by, heldBack: answer.heldBack }];
  }
}
