/** When a failed try is worth another one, and after how long. */
import type { AgentFailure } from '../ports/agent.js';

export type Patience = {
  readonly tries: number;
  readonly firstMs: number;
  readonly longestMs: number;
  /** From the first question to the last pause. Whoever wants us to stay away for longer is told about at once. */
  readonly budgetMs: number;
};

export const PATIENCE: Patience = { tries: 6, firstMs: 1_000, longestMs: 30_000, budgetMs: 90_000 };

/** `dice` is between 0 and 1, and spreads those who failed at the same moment. */
export function pauseAfter(
  failure: AgentFailure,
  { tries, spentMs, dice }: { readonly tries: number; readonly spentMs: number; readonly dice: number },
  patience: Patience,
): number | undefined {
  if (!passes(failure) || tries >= patience.tries) return undefined;
  const doubled = Math.min(patience.longestMs, patience.firstMs * 2 ** (tries - 1));
  const pauseMs = failure.retryAfterMs ?? Math.round(doubled * (0.75 + dice / 2));
  return spentMs + pauseMs <= patience.budgetMs ? pauseMs : undefined;
}

function passes({ failed }: AgentFailure): boolean {
  switch (failed) {
    case 'rate-limited':
    case 'overloaded':
    case 'unreachable':
      return true;
    case 'credentials':
    case 'no-credit':
    case 'refused':
    case 'broken-off':
    case 'aborted':
      return false;
  }
}
