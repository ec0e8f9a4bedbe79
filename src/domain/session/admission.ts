/**
 * The mailbox of a session: who may have a turn, and when.
 *
 *                 a message, else what is due            questionAsked
 *      none ─────────────────────────────────▶ running ────────────────▶ waiting
 *       ▲                                      │     ▲                     │  │
 *       │◀───────────── turnEnded ─────────────┤     └── answer, time-out ─┘  │
 *       │                                      ▼                              │
 *       └──────── turnEnded ──────────────── ending ◀── stop, interrupt, reset, close
 *
 *   1. There is one turn at most. Its generation names it: inputs of any other generation change nothing.
 *   2. Nothing is stranded: in an open session without a turn, no message waits, and a notice waits only for the
 *      end of a pause or of the budget's window.
 *   3. People come before wakes, one message a turn, in their order; an interrupt comes first. Both are served.
 *   4. A wake takes all that is due as one turn. It ends no turn and joins no person's turn. Neither a wake nor a
 *      message answers a question: only an answer to that question does.
 *   5. Every message begins a turn, joins a step, is withdrawn or dropped; every notice wakes, joins a step or is
 *      suppressed; once each.
 *   6. After a failed turn wakes pause, until a person speaks, a turn finishes or the pause is lifted. What the failed
 *      turn was about, a message or a wake, is unanswered: it is resumed after the pause, once and before any
 *      wake, unless another turn has served since.
 *   7. While the host drains nothing begins and nothing is lost; once closed nothing begins and nothing stays owed.
 */
import type { MessageId, QuestionId } from '../../contract/ids.js';
import type { TurnBy } from '../../contract/journal.js';
import { freshBudget, spend } from './budget.js';
import type { AbortReason, Around, Effect, Input, Mailbox, Step, Turn, Waiting } from './mailbox.js';
import { isForStep, isOwnMatch, MOVED_ON, sorted, staleness, UNTOLD, type Owed } from '../notice/owed.js';
import type { Instant } from '../process/process.js';
import type { Suppression } from '../notice/settle.js';

/** Takes the input, then begins what may begin. */
export const step = (state: Mailbox, input: Input, around: Around): Step => proceed(take(state, input, around), around);

function take(state: Mailbox, input: Input, around: Around): Step {
  switch (input.kind) {
    case 'personSpoke':
      return personSpoke(state, input);
    case 'messageChanged':
      return messageChanged(state, input);
    case 'messageWithdrawn':
      return messageWithdrawn(state, input.message);
    case 'noticeDue':
      return noticeDue(state, input.notices);
    case 'noticeSettled':
      return only({ ...state, due: state.due.filter(({ notice }) => !input.notices.includes(notice)) });
    case 'stepReached':
      return stepReached(state, input.generation);
    case 'questionAsked':
      return questionAsked(state, input.generation, input.question);
    case 'questionAnswered':
      return questionOver(state, { kind: 'answerQuestion', question: input.question, by: 'person' });
    case 'questionTimedOut':
      return questionOver(state, { kind: 'answerQuestion', question: input.question, by: 'timeout' });
    case 'turnEnded':
      return turnEnded(state, input);
    case 'wakeNotBegun':
      return wakeNotBegun(state, input.generation);
    case 'stopAsked':
      return stopAsked(state);
    case 'restarted':
      return restarted(state, input.resumes, around);
    case 'pauseLifted':
      return pauseLifted(state);
    case 'resumeAsked':
      return resumeAsked(state, input.unfinished);
    case 'reset':
      return reset(state);
    case 'closed':
      return closed(state);
    case 'reopened':
      return only(state.life === 'closed' ? { ...state, life: 'open' } : state);
    case 'looked':
      return only(state);
  }
}

const only = (state: Mailbox): Step => ({ state, effects: [] });

/** Does the second after the first. */
function then(first: Step, next: (state: Mailbox) => Step): Step {
  const second = next(first.state);
  return { state: second.state, effects: [...first.effects, ...second.effects] };
}

function proceed(taken: Step, around: Around): Step {
  const { state } = taken;
  if (state.turn || state.life === 'closed' || around.draining) return taken;
  if (state.queued.length > 0) return then(taken, beginForPerson);
  if (state.pause) return taken;
  if (state.unanswered) return then(taken, beginResume);
  return state.due.length > 0 ? then(taken, (owing) => wake(owing, around)) : taken;
}

function beginForPerson(state: Mailbox): Step {
  const [first, ...queued] = state.queued;
  if (!first) return only(state);
  const begun = began({ ...state, queued }, 'person');
  return {
    state: begun,
    effects: [{ kind: 'beginTurn', generation: begun.generation, by: 'person', messages: [first.message] }],
  };
}

function beginResume(state: Mailbox): Step {
  const begun = began(state, 'resume');
  return { state: begun, effects: [{ kind: 'beginTurn', generation: begun.generation, by: 'resume' }] };
}

function wake(state: Mailbox, { now, budget }: Around): Step {
  const spending = spend(state.budget, now, budget);
  if (spending.kind === 'digest') return heldUntil({ ...state, budget: spending.budget }, spending.at);
  const { heldUntil: held, ...rest } = state;
  const begun = began({ ...rest, due: [], budget: spending.budget }, 'wake');
  const notices = state.due.map(({ notice }) => notice);
  const heldBack = held === undefined ? 0 : notices.length;
  return {
    state: begun,
    effects: [{ kind: 'beginTurn', generation: begun.generation, by: 'wake', notices, heldBack }],
  };
}

/** Repeated each time: the alarm before may have been set by another host. */
const heldUntil = (state: Mailbox, at: Instant): Step => ({
  state: { ...state, heldUntil: at },
  effects: [{ kind: 'wakeAt', at }],
});

function began(state: Mailbox, by: TurnBy): Mailbox {
  const generation = state.generation + 1;
  return { ...state, generation, turn: { generation, by, phase: { kind: 'running' } } };
}

function personSpoke(state: Mailbox, { message, mode }: Waiting): Step {
  if (state.life === 'closed') return { state, effects: [{ kind: 'dropMessages', messages: [message] }] };
  const { heldUntil: _over, ...rest } = state;
  return then(pauseLifted({ ...rest, budget: freshBudget }), (free) => admitted(free, { message, mode }));
}

function admitted(state: Mailbox, waiting: Waiting): Step {
  if (waiting.mode !== 'interrupt') return only({ ...state, queued: [...state.queued, waiting] });
  const ahead = state.queued.filter((other) => other.mode === 'interrupt');
  const behind = state.queued.filter((other) => other.mode !== 'interrupt');
  return abort({ ...state, queued: [...ahead, waiting, ...behind] }, 'interrupted');
}

/** What waits in line keeps its place there; anything else is as if it were said now. */
function messageChanged(state: Mailbox, { message, mode }: Waiting): Step {
  const before = state.queued.find((waiting) => waiting.message === message);
  if (!before || before.mode === mode) return only(state);
  if (mode === 'interrupt' || before.mode === 'interrupt')
    return admitted(withoutMessage(state, message), { message, mode });
  return only({ ...state, queued: state.queued.map((other) => (other === before ? { message, mode } : other)) });
}

function messageWithdrawn(state: Mailbox, message: MessageId): Step {
  if (!state.queued.some((waiting) => waiting.message === message)) return only(state);
  return { state: withoutMessage(state, message), effects: [{ kind: 'withdrawMessage', message }] };
}

const withoutMessage = (state: Mailbox, message: MessageId): Mailbox => ({
  ...state,
  queued: state.queued.filter((waiting) => waiting.message !== message),
});

/** The first reason stays: a turn is ended once. */
function abort(state: Mailbox, reason: AbortReason): Step {
  const { turn } = state;
  if (!turn || turn.phase.kind === 'ending') return only(state);
  return {
    state: { ...state, turn: { ...turn, phase: { kind: 'ending', reason } } },
    effects: [{ kind: 'abortTurn', generation: turn.generation, reason }],
  };
}

function noticeDue(state: Mailbox, notices: readonly Owed[]): Step {
  const known = new Set(state.due.map(({ notice }) => notice));
  const fresh = notices.filter(({ notice }) => !known.has(notice));
  const all = { ...state, due: [...state.due, ...fresh] };
  return state.life === 'closed' ? suppress(all, () => MOVED_ON) : withoutStale(all);
}

const withoutStale = (state: Mailbox): Step => suppress(state, (owed) => staleness(owed, state.behind));

function suppress(state: Mailbox, reasonFor: (owed: Owed) => Suppression | undefined): Step {
  const { left, gone } = sorted(state.due, reasonFor);
  return {
    state: { ...state, due: left },
    effects: gone.map(({ reason, notices }) => ({ kind: 'suppressNotices', notices, reason })),
  };
}

function stepReached(state: Mailbox, generation: number): Step {
  if (state.turn?.generation !== generation || state.turn.phase.kind === 'ending') return only(state);
  const steers = state.queued.filter(({ mode }) => mode === 'steer');
  const matches = state.due.filter((owed) => isForStep(owed, generation));
  if (steers.length + matches.length === 0) return only(state);
  const queued = state.queued.filter((waiting) => !steers.includes(waiting));
  const due = state.due.filter((owed) => !matches.includes(owed));
  const messages = steers.map(({ message }) => message);
  const notices = matches.map(({ notice }) => notice);
  return { state: { ...state, queued, due }, effects: [{ kind: 'tellAtStep', generation, messages, notices }] };
}

function questionAsked(state: Mailbox, generation: number, question: QuestionId): Step {
  const { turn } = state;
  if (turn?.generation !== generation || turn.phase.kind === 'ending') return only(state);
  const questions = turn.phase.kind === 'waiting' ? turn.phase.questions : [];
  if (questions.includes(question)) return only(state);
  return only({ ...state, turn: { ...turn, phase: { kind: 'waiting', questions: [...questions, question] } } });
}

function questionOver(state: Mailbox, answer: Extract<Effect, { kind: 'answerQuestion' }>): Step {
  const { turn } = state;
  if (turn?.phase.kind !== 'waiting' || !turn.phase.questions.includes(answer.question)) return only(state);
  const questions = turn.phase.questions.filter((other) => other !== answer.question);
  const phase: Turn['phase'] = questions.length > 0 ? { kind: 'waiting', questions } : { kind: 'running' };
  return { state: { ...state, turn: { ...turn, phase } }, effects: [answer] };
}

function turnEnded(state: Mailbox, ended: Extract<Input, { kind: 'turnEnded' }>): Step {
  const { turn, ...rest } = state;
  if (turn?.generation !== ended.generation) return only(state);
  const untold = suppress(rest, (owed) => (isOwnMatch(owed, ended.generation) ? UNTOLD : undefined));
  const failed = ended.reason === 'failed' && turn.phase.kind !== 'ending';
  if (failed) return then(untold, (left) => paused({ ...left, unanswered: true }, ended.why, ended.tried));
  const served = then(untold, (left) => only({ ...left, unanswered: false }));
  return ended.reason === 'finished' ? then(served, pauseLifted) : served;
}

const paused = (state: Mailbox, why = 'the last turn failed', tried?: string): Step => ({
  state: { ...state, pause: { why, ...(tried !== undefined && { tried }) } },
  effects: [{ kind: 'pause', why }],
});

function wakeNotBegun(state: Mailbox, generation: number): Step {
  const { turn, ...rest } = state;
  return only(turn?.generation === generation && turn.by === 'wake' ? rest : state);
}

function stopAsked(state: Mailbox): Step {
  if (!state.turn) return only(state);
  const behind = { ...state.behind, stop: state.turn.generation };
  return then(abort({ ...state, behind }, 'stopped'), withoutStale);
}

/** The turn of the last host is over. It continues as a new turn, unless it was being ended. */
function restarted(state: Mailbox, resumes: boolean, around: Around): Step {
  const { turn, ...rest } = state;
  if (!turn) return only(state);
  if (resumes && turn.phase.kind !== 'ending') return resumed(rest, around);
  return suppress(rest, (owed) => (isOwnMatch(owed, turn.generation) ? UNTOLD : undefined));
}

/** A turn that a restart cut off continues before the messages that waited behind it, except an interrupt. */
function resumed(state: Mailbox, { draining }: Around): Step {
  const mayBegin = state.life === 'open' && !draining && !state.pause && state.queued[0]?.mode !== 'interrupt';
  return mayBegin ? beginResume(state) : only(state);
}

function pauseLifted(state: Mailbox): Step {
  const { pause, ...free } = state;
  return only(pause ? free : state);
}

/** A turn that runs or waits for a person is not resumed a second time. */
function resumeAsked(state: Mailbox, unfinished: boolean): Step {
  const unanswered = state.unanswered || (unfinished && !state.turn && state.life !== 'closed');
  return pauseLifted({ ...state, unanswered });
}

function reset(state: Mailbox): Step {
  if (state.life === 'closed') return only(state);
  const { heldUntil: _over, ...rest } = state;
  const behind = { ...state.behind, reset: state.generation };
  const moved = { ...rest, behind, generation: state.generation + 1, unanswered: false, budget: freshBudget };
  return then(pauseLifted(moved), emptied);
}

const closed = (state: Mailbox): Step => emptied({ ...state, life: 'closed', unanswered: false });

/** Ends the turn and drops everything that waited. */
function emptied(state: Mailbox): Step {
  const messages = state.queued.map(({ message }) => message);
  const dropped: Effect[] = messages.length > 0 ? [{ kind: 'dropMessages', messages }] : [];
  const without: Step = { state: { ...state, queued: [] }, effects: dropped };
  return then(
    then(without, (rest) => suppress(rest, () => MOVED_ON)),
    (rest) => abort(rest, 'superseded'),
  );
}
