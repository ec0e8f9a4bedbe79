/**
 * What keeps a pending notice from its session, and until when (N14).
 *
 * A notice may be held by several things one after the other: a turn that runs, then the budget. They are given in the
 * order in which they end.
 */
import type { NoticeId, QuestionId } from '../contract/ids.js';
import type { TurnBy } from '../contract/journal.js';
import { spend, type BudgetFigures } from './budget.js';
import type { Mailbox } from './mailbox.js';
import { isOwnMatch } from './owed.js';
import type { Instant } from './process.js';

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
      readonly figures: BudgetFigures;
      /** How many notices come together then. */
      readonly together: number;
    }
  | { readonly kind: 'stoppingHost' };

export type Holding = {
  readonly agent: string;
  readonly webhook?: unknown;
  readonly mailbox: Mailbox;
};

export type Circumstances = {
  readonly now: Instant;
  readonly budget: BudgetFigures;
  readonly draining: boolean;
  /** How many notices the session is owed. */
  readonly owed: number;
  /** When the questions that wait are given up. */
  readonly expiries: ReadonlyMap<QuestionId, Instant>;
};

export function holdsOn(session: Holding, around: Circumstances, notice?: NoticeId): readonly Hold[] {
  if (session.webhook) return [{ kind: 'webhook' }];
  if (session.agent === 'none') return [{ kind: 'noReader' }];
  const { mailbox } = session;
  const owed = mailbox.due.find((one) => one.notice === notice);
  if (owed && mailbox.turn && isOwnMatch(owed, mailbox.turn.generation)) return [{ kind: 'nextStep' }];
  const { length: count } = mailbox.queued;
  return [
    ...turnHolds(mailbox, around),
    ...(around.draining ? [{ kind: 'stoppingHost' } as const] : []),
    ...(count > 0 ? [{ kind: 'messages', count } as const] : []),
    ...(mailbox.pause ? [{ kind: 'pause', why: mailbox.pause.why } as const] : []),
    ...budgetHolds(mailbox, around),
  ];
}

function turnHolds({ turn }: Mailbox, { expiries }: Circumstances): readonly Hold[] {
  if (!turn) return [];
  if (turn.phase.kind !== 'waiting') return [{ kind: 'turn', by: turn.by, generation: turn.generation }];
  return turn.phase.questions.map((question): Hold => {
    const until = expiries.get(question);
    return { kind: 'question', question, ...(until !== undefined && { until }) };
  });
}

function budgetHolds({ budget }: Mailbox, { now, budget: figures, owed }: Circumstances): readonly Hold[] {
  const spending = spend(budget, now, figures);
  return spending.kind === 'digest' ? [{ kind: 'budget', until: spending.at, figures, together: owed }] : [];
}
