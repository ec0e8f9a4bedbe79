/** What keeps a pending notice from its session, and until when (N14). */
import type { QuestionId } from '../../contract/ids.js';
import type { TurnBy } from '../../contract/journal.js';
import type { Instant } from '../process/process.js';

export type Hold =
  /** Neither an agent nor a webhook: only people see it. */
  | { readonly kind: 'noReader' }
  | { readonly kind: 'webhook' }
  | { readonly kind: 'turn'; readonly by: TurnBy; readonly generation: number }
  /** A match of the turn that runs. */
  | { readonly kind: 'nextStep' }
  | { readonly kind: 'question'; readonly question: QuestionId; readonly until?: Instant }
  | { readonly kind: 'messages'; readonly count: number }
  | { readonly kind: 'pause'; readonly why: string }
  | {
      readonly kind: 'budget';
      readonly until: Instant;
      readonly figures: { readonly wakes: number; readonly windowMs: number };
      /** How many notices come together then. */
      readonly together: number;
    }
  | { readonly kind: 'stoppingHost' };
