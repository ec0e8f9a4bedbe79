/** The mailbox of a session: what it holds, what comes into it, and what follows. `admission` is its machine. */
import type { MessageId, NoticeId, QuestionId } from '../../contract/ids.js';
import type { Mode, TurnBy, TurnEnd } from '../../contract/journal.js';
import { freshBudget, type Budget } from './budget.js';
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

/** Why wakes wait; people do not. `tried` names the model and the credentials that failed. */
export type Pause = { readonly why: string; readonly tried?: string };

export type Mailbox = {
  readonly life: 'open' | 'draining' | 'closed';
  /** Of the last turn or reset; every turn has a higher one than all before it. */
  readonly generation: number;
  readonly turn?: Turn;
  readonly queued: readonly Waiting[];
  readonly due: readonly Owed[];
  readonly behind: Behind;
  readonly pause?: Pause;
  /** A turn failed, and no turn has served since: what it was about, a message or a wake, has no answer yet. */
  readonly unanswered: boolean;
  /** Wakes in a row that the store did not let begin. */
  readonly misses: number;
  readonly budget: Budget;
  /** When the budget lets the next wake begin. */
  readonly heldUntil?: Instant;
};

export type Input =
  | { readonly kind: 'personSpoke'; readonly message: MessageId; readonly mode: Mode }
  /** The person thought better of a message that waits: it is served as if it had been sent so. */
  | { readonly kind: 'messageChanged'; readonly message: MessageId; readonly mode: Mode }
  | { readonly kind: 'messageWithdrawn'; readonly message: MessageId }
  | { readonly kind: 'noticeDue'; readonly notices: readonly Owed[] }
  /** Somebody else settled them: a tool showed the end, or they expired. */
  | { readonly kind: 'noticeSettled'; readonly notices: readonly NoticeId[] }
  /** The turn is between two steps and can be told something. */
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
  /** The store did not let the wake begin, because some of it was settled meanwhile; this much is still owed. */
  | { readonly kind: 'wakeNotBegun'; readonly generation: number; readonly owed: readonly Owed[] }
  | { readonly kind: 'stopAsked' }
  /** A new host, after the last one died or stopped in the middle of the turn; `resumes` if the turn is to go on. */
  | { readonly kind: 'restarted'; readonly resumes: boolean }
  /** By another model or other credentials. */
  | { readonly kind: 'pauseLifted' }
  /** By a person; `unfinished` when the journal ends in work that no turn has finished. */
  | { readonly kind: 'resumeAsked'; readonly unfinished: boolean }
  | { readonly kind: 'reset' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'reopened' }
  | { readonly kind: 'drainBegan' }
  /** Nothing new: look again, at the start and when a `wakeAt` is over. */
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
  /** The question waits no longer. */
  | { readonly kind: 'answerQuestion'; readonly question: QuestionId; readonly by: 'person' | 'timeout' }
  | { readonly kind: 'suppressNotices'; readonly notices: readonly NoticeId[]; readonly reason: Suppression }
  | { readonly kind: 'dropMessages'; readonly messages: readonly MessageId[]; readonly reason: string }
  | { readonly kind: 'withdrawMessage'; readonly message: MessageId }
  | { readonly kind: 'pause'; readonly why: string }
  | { readonly kind: 'unpause' }
  | { readonly kind: 'wakeAt'; readonly at: Instant };

export type Step = { readonly state: Mailbox; readonly effects: readonly Effect[] };

export const newSession: Mailbox = {
  life: 'open',
  generation: 0,
  queued: [],
  due: [],
  behind: { reset: 0, stop: 0 },
  unanswered: false,
  misses: 0,
  budget: freshBudget,
};

export type Disposition = 'started' | 'queued' | 'steered' | 'interrupted';

/** What a message spoken now will be told has become of it. */
export function dispositionOf(state: Mailbox, mode: Mode): Disposition {
  if (!state.turn) return state.life === 'open' ? 'started' : 'queued';
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
