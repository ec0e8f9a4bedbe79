/**
 * What holds back the notices of a session (N14).
 *
 * A notice may be held by several things one after the other: a turn that runs, then the budget. They are given in the
 * order in which they end.
 */
import type { NoticeId } from '../../contract/ids.js';
import { spend } from './budget.js';
import type { Hold } from '../notice/why.js';
import type { Around, Mailbox } from './mailbox.js';
import type { OpenQuestion } from './open-question.js';
import { isOwnMatch, readerOf } from '../notice/owed.js';

export type Holding = {
  readonly agent: string;
  readonly webhook?: unknown;
  readonly mailbox: Mailbox;
  /** The turn with its open questions, as it is stored. */
  readonly turn?: { readonly asked?: readonly Pick<OpenQuestion, 'question' | 'expiresAt'>[] };
};

/** `owed` is how many notices the session is owed. */
export type Circumstances = Around & { readonly owed: number };

export function holdsOn(session: Holding, around: Circumstances, notice?: NoticeId): readonly Hold[] {
  const reader = readerOf(session);
  if (reader !== 'agent') return [{ kind: reader === 'webhook' ? 'webhook' : 'noReader' }];
  const { mailbox } = session;
  const owed = mailbox.due.find((one) => one.notice === notice);
  if (owed && mailbox.turn && isOwnMatch(owed, mailbox.turn.generation)) return [{ kind: 'nextStep' }];
  const { length: count } = mailbox.queued;
  return [
    ...turnHolds(session),
    ...(around.draining ? [{ kind: 'stoppingHost' } as const] : []),
    ...(count > 0 ? [{ kind: 'messages', count } as const] : []),
    ...(mailbox.pause ? [{ kind: 'pause', why: mailbox.pause.why } as const] : []),
    ...budgetHolds(mailbox, around),
  ];
}

function turnHolds({ mailbox: { turn }, turn: stored }: Holding): readonly Hold[] {
  if (!turn) return [];
  if (turn.phase.kind !== 'waiting') return [{ kind: 'turn', by: turn.by, generation: turn.generation }];
  return turn.phase.questions.map((question): Hold => {
    const until = stored?.asked?.find((open) => open.question === question)?.expiresAt;
    return { kind: 'question', question, ...(until !== undefined && { until }) };
  });
}

function budgetHolds({ budget }: Mailbox, { now, budget: figures, owed }: Circumstances): readonly Hold[] {
  const spending = spend(budget, now, figures);
  return spending.kind === 'digest' ? [{ kind: 'budget', until: spending.at, figures, together: owed }] : [];
}
