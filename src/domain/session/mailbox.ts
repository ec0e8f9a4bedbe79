/** The mailbox of a session: its state, its inputs and its effects. `admission` is its machine. */
import type { MessageId, NoticeId, QuestionId } from '../../contract/ids.js';
import type { Mode, TurnBy, TurnEnd } from '../../contract/journal.js';
import { freshBudget, type Budget, type BudgetFigures } from './budget.js';
import type { Behind, Owed } from '../notice/owed.js';
import type { Instant } from '../process/process.js';
import type { Suppression } from '../notice/settle.js';

export type Waiting = { readonly message: MessageId; readonly mode: Mode };

export type AbortReason = 'stopped' | 'interrupted' | 'superseded';

export type Turn = {
  readonly generation: number;
  readonly by: TurnBy;
  readonly phase:
    | { readonly kind: 'running' }
    | { readonly kind: 'waiting'; readonly questions: readonly QuestionId[] }
    | { readonly kind: 'ending'; readonly reason: AbortReason };
};

/** Why wakes wait; messages do not. `tried` names the model and the credentials that failed. */
export type Pause = { readonly why: string; readonly tried?: string };

export type Mailbox = {
  readonly life: 'open' | 'closed';
  /** Of the last turn or reset; every turn has a higher one than all before it. */
  readonly generation: number;
  readonly turn?: Turn;
  readonly queued: readonly Waiting[];
  readonly due: readonly Owed[];
  readonly behind: Behind;
  readonly pause?: Pause;
  /** A turn failed and none has succeeded since: its message or wake has no answer yet. */
  readonly unanswered: boolean;
  readonly budget: Budget;
  /** When the budget lets the next wake begin. */
  readonly heldUntil?: Instant;
};

/** What a decision depends on besides the mailbox. */
export type Around = {
  readonly now: Instant;
  readonly budget: BudgetFigures;
  /** The host is stopping: nothing begins, and what comes waits for the next host. */
  readonly draining: boolean;
};

export type Input =
  | { readonly kind: 'personSpoke'; readonly message: MessageId; readonly mode: Mode }
  /** The person changed the mode of a waiting message: it is served as if it had been sent that way. */
  | { readonly kind: 'messageChanged'; readonly message: MessageId; readonly mode: Mode }
  | { readonly kind: 'messageWithdrawn'; readonly message: MessageId }
  | { readonly kind: 'noticeDue'; readonly notices: readonly Owed[] }
  /** A tool of the running turn showed their fact. */
  | { readonly kind: 'noticeSettled'; readonly notices: readonly NoticeId[] }
  /** The turn is between two steps and can take messages and notices. */
  | { readonly kind: 'stepReached'; readonly generation: number }
  | { readonly kind: 'questionAsked'; readonly generation: number; readonly question: QuestionId }
  | { readonly kind: 'questionAnswered'; readonly question: QuestionId }
  | { readonly kind: 'questionTimedOut'; readonly question: QuestionId }
  | {
      readonly kind: 'turnEnded';
      readonly generation: number;
      readonly reason: TurnEnd;
      readonly why?: string;
      readonly tried?: string;
    }
  /** All of its notices were settled meanwhile. */
  | { readonly kind: 'wakeNotBegun'; readonly generation: number }
  | { readonly kind: 'stopAsked' }
  /** A new host, after the last one died or stopped during the turn; `resumes` if the turn continues. */
  | { readonly kind: 'restarted'; readonly resumes: boolean }
  /** By another model or other credentials. */
  | { readonly kind: 'pauseLifted' }
  /** By a person; `unfinished` when the journal ends in work that no turn has finished. */
  | { readonly kind: 'resumeAsked'; readonly unfinished: boolean }
  | { readonly kind: 'reset' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'reopened' }
  /** Nothing new: decide again, at the start and when a `wakeAt` is over. */
  | { readonly kind: 'looked' };

export type Effect =
  | {
      readonly kind: 'beginTurn';
      readonly generation: number;
      readonly by: 'person';
      readonly messages: readonly MessageId[];
    }
  /** `heldBack` of the notices waited for the budget's window: more than none makes it a digest. */
  | {
      readonly kind: 'beginTurn';
      readonly generation: number;
      readonly by: 'wake';
      readonly notices: readonly NoticeId[];
      readonly heldBack: number;
    }
  | { readonly kind: 'beginTurn'; readonly generation: number; readonly by: 'resume' }
  | {
      readonly kind: 'tellAtStep';
      readonly generation: number;
      readonly messages: readonly MessageId[];
      readonly notices: readonly NoticeId[];
    }
  | { readonly kind: 'abortTurn'; readonly generation: number; readonly reason: AbortReason }
  /** The question is closed. */
  | { readonly kind: 'answerQuestion'; readonly question: QuestionId; readonly by: 'person' | 'timeout' }
  | { readonly kind: 'suppressNotices'; readonly notices: readonly NoticeId[]; readonly reason: Suppression }
  | { readonly kind: 'dropMessages'; readonly messages: readonly MessageId[] }
  | { readonly kind: 'withdrawMessage'; readonly message: MessageId }
  | { readonly kind: 'pause'; readonly why: string }
  | { readonly kind: 'wakeAt'; readonly at: Instant };

export type Step = { readonly state: Mailbox; readonly effects: readonly Effect[] };

export const newSession: Mailbox = {
  life: 'open',
  generation: 0,
  queued: [],
  due: [],
  behind: { reset: 0, stop: 0 },
  unanswered: false,
  budget: freshBudget,
};

/** Whether this turn runs and is not being ended. */
export const isRunning = ({ turn }: Mailbox, generation: number): boolean =>
  turn?.generation === generation && turn.phase.kind !== 'ending';

export type Disposition = 'started' | 'queued' | 'steered' | 'interrupted';

/** What happens to a message that is sent now. */
export function dispositionOf(state: Mailbox, mode: Mode, draining: boolean): Disposition {
  if (!state.turn) return draining ? 'queued' : 'started';
  if (state.turn.phase.kind === 'ending') return 'queued';
  switch (mode) {
    case 'queue':
      return 'queued';
    case 'steer':
      return 'steered';
    case 'interrupt':
      return 'interrupted';
  }
}

export function stateOf(state: Mailbox): 'idle' | 'running' | 'waiting' | 'paused' {
  if (state.turn) return state.turn.phase.kind === 'waiting' ? 'waiting' : 'running';
  return state.pause ? 'paused' : 'idle';
}
