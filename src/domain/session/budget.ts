/**
 * How often a session may wake without a person.
 *
 *   1. In a row without a person there are at most `wakes` wakes in any stretch of `windowMs`.
 *   2. Nothing is lost: what is due beyond that waits, and one wake, a digest, takes all of it as soon as one is free.
 *   3. A person makes it fresh.
 *   4. No wake waits longer than one window, whatever the clock does: a wake in the future counts as just now.
 */
import type { Instant } from '../process/process.js';

export type BudgetFigures = { readonly wakes: number; readonly windowMs: number };

export const defaultBudget: BudgetFigures = { wakes: 10, windowMs: 3_600_000 };

/** When the session woke since the last person spoke, as far back as it matters, oldest first. */
export type Budget = readonly Instant[];

/** Nothing spent, after a person. */
export const freshBudget: Budget = [];

export type Spending =
  | { readonly kind: 'wake'; readonly budget: Budget }
  /** Not now: one digest, then. */
  | { readonly kind: 'digest'; readonly at: Instant; readonly budget: Budget };

export function spend(budget: Budget, now: Instant, figures: BudgetFigures): Spending {
  const recent = budget.map((at) => Math.min(at, now)).filter((at) => now - at < figures.windowMs);
  const oldest = recent.at(-figures.wakes);
  return recent.length < figures.wakes || oldest === undefined
    ? { kind: 'wake', budget: [...recent, now] }
    : { kind: 'digest', at: oldest + figures.windowMs, budget: recent };
}
