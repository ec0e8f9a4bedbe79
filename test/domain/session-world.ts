/**
 * A session as the world outside sees it: it knows what was said to the mailbox and what the mailbox did about it, and
 * nothing of how it remembers. Whatever breaks a promise is thrown.
 */
import type { MessageId, NoticeId, QuestionId } from '../../src/contract/ids.js';
import type { Mode, TurnEnd } from '../../src/contract/journal.js';
import type { BudgetFigures } from '../../src/domain/session/budget.js';
import type { Effect, Input } from '../../src/domain/session/mailbox.js';
import { MOVED_ON, STOPPED, UNTOLD, type Owed } from '../../src/domain/notice/owed.js';

export const figures: BudgetFigures = { wakes: 2, windowMs: 100 };

type Running = {
  readonly generation: number;
  readonly by: 'person' | 'wake' | 'resume';
  readonly aborted: boolean;
  readonly questions: readonly QuestionId[];
};

export type World = {
  readonly now: number;
  readonly life: 'open' | 'closed';
  /** The host is stopping. */
  readonly draining: boolean;
  readonly highest: number;
  readonly running?: Running;
  readonly messages: readonly { readonly message: MessageId; readonly mode: Mode }[];
  readonly notices: readonly Owed[];
  readonly resetAt: number;
  readonly stopAt: number;
  readonly paused: boolean;
  readonly unanswered: boolean;
  /** The moments of the wakes since a person was there. */
  readonly wakes: readonly number[];
  readonly alarm?: number;
};

export const emptyWorld: World = {
  now: 0,
  life: 'open',
  draining: false,
  highest: 0,
  messages: [],
  notices: [],
  resetAt: 0,
  stopAt: 0,
  paused: false,
  unanswered: false,
  wakes: [],
};

const hold = (promise: boolean, broken: string) => {
  if (!promise) throw new Error(broken);
};
const same = (a: readonly string[], b: readonly string[]) => a.join() === b.join();

export function observe(before: World, input: Input, effects: readonly Effect[]): World {
  let world = heard(before, input);
  for (const effect of effects) world = seen(world, before, input, effect);
  hold(goes(before, input, effects), 'N8 W10 something outlived its turn');
  const withdrawn = input.kind === 'messageWithdrawn' ? input.message : undefined;
  hold(!world.messages.some(({ message }) => message === withdrawn), 'T8 serves what was withdrawn');
  hold(actsAtOnce(before, input, world), 'T8 goes on as if nothing had been changed');
  atRest(world);
  return world;
}

/** A message that is to be served in another way: an interrupt ends the turn. */
function actsAtOnce(before: World, input: Input, { running }: World): boolean {
  if (input.kind !== 'messageChanged' || !before.running || before.running.aborted) return true;
  const waits = (list: World['messages']) => list.find(({ message }) => message === input.message);
  if ((waits(before.messages)?.mode ?? input.mode) === input.mode) return true;
  return input.mode !== 'interrupt' || (running?.aborted ?? false);
}

const suppressed = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.kind === 'suppressNotices' ? effect.notices : []));

function endsTheTurn({ running }: World, input: Input): boolean {
  if (input.kind === 'restarted') return running !== undefined && (!input.resumes || running.aborted);
  return input.kind === 'turnEnded' && running?.generation === input.generation;
}

/** The matches of a turn that ended are not reported any more. */
function goes(before: World, input: Input, effects: readonly Effect[]): boolean {
  const own = before.notices.filter((owed) => owed.kind === 'match' && owed.startedIn === before.running?.generation);
  return !endsTheTurn(before, input) || own.every(({ notice }) => suppressed(effects).includes(notice));
}

/** What the input alone changes. */
function heard(world: World, input: Input): World {
  const { running } = world;
  switch (input.kind) {
    case 'personSpoke':
      return {
        ...world,
        wakes: [],
        paused: world.paused && world.life === 'closed',
        messages: [...world.messages, { message: input.message, mode: input.mode }],
      };
    case 'messageChanged':
      return { ...world, messages: changed(world, input) };
    case 'messageWithdrawn':
      return world;
    case 'noticeDue':
      return { ...world, notices: [...world.notices, ...input.notices] };
    case 'noticeSettled':
      return { ...world, notices: world.notices.filter((owed) => !input.notices.includes(owed.notice)) };
    case 'questionAsked':
      return running?.generation === input.generation && !running.aborted
        ? { ...world, running: { ...running, questions: [...running.questions, input.question] } }
        : world;
    case 'turnEnded':
      return running?.generation === input.generation ? turnOver(world, running, input.reason) : world;
    case 'wakeNotBegun':
      return running?.generation === input.generation ? without(world, {}) : world;
    case 'restarted':
      return running ? without(world, {}) : world;
    case 'stopAsked':
      return running ? { ...world, stopAt: running.generation } : world;
    case 'reset':
      return world.life === 'closed'
        ? world
        : { ...world, resetAt: world.highest, highest: world.highest + 1, wakes: [], unanswered: false, paused: false };
    case 'closed':
      return { ...world, life: 'closed', unanswered: false };
    case 'reopened':
      return world.life === 'closed' ? { ...world, life: 'open' } : world;
    case 'pauseLifted':
      return { ...world, paused: false };
    case 'resumeAsked': {
      const unanswered = world.unanswered || (input.unfinished && !running && world.life !== 'closed');
      return { ...world, paused: false, unanswered };
    }
    case 'stepReached':
    case 'questionAnswered':
    case 'questionTimedOut':
    case 'looked':
      return world;
  }
}

/** Between waiting and steering it keeps its place; an interrupt is as good as new. */
function changed({ messages }: World, { message, mode }: World['messages'][number]): World['messages'] {
  const before = messages.find((waiting) => waiting.message === message);
  if (!before || before.mode === mode) return messages;
  if (mode !== 'interrupt' && before.mode !== 'interrupt')
    return messages.map((waiting) => (waiting === before ? { message, mode } : waiting));
  return [...messages.filter((waiting) => waiting !== before), { message, mode }];
}

function without(world: World, change: Partial<World>): World {
  const { running: _over, ...rest } = world;
  return { ...rest, ...change };
}

const turnOver = (world: World, running: Running, reason: TurnEnd): World =>
  without(world, {
    unanswered: reason === 'failed' && !running.aborted,
    paused: world.paused && reason !== 'finished',
  });

function seen(world: World, before: World, input: Input, effect: Effect): World {
  switch (effect.kind) {
    case 'beginTurn':
      return turnBegins(world, input, effect);
    case 'tellAtStep': {
      const { running } = world;
      hold(input.kind === 'stepReached' && input.generation === running?.generation, 'told outside a step');
      hold(effect.generation === running?.generation && !running.aborted, 'T7 told a turn that is over');
      const steers = world.messages.filter(({ mode }) => mode === 'steer').map(({ message }) => message);
      const own = world.notices.filter((owed) => owed.kind !== 'fact' && owed.startedIn === effect.generation);
      const ownIds = own.map(({ notice }) => notice);
      hold(same(effect.messages, steers), 'T8 told something else than the steering messages');
      hold(same(effect.notices, ownIds), 'W10 told something else than its own matches');
      return served(world, effect.messages, effect.notices);
    }
    case 'abortTurn': {
      const { running } = world;
      const because = {
        stopAsked: 'stopped',
        personSpoke: 'interrupted',
        messageChanged: 'interrupted',
        reset: 'superseded',
        closed: 'superseded',
      };
      hold(effect.generation === running?.generation && !running.aborted, 'aborted what does not run');
      hold(
        Object.entries(because).some(([kind, reason]) => kind === input.kind && reason === effect.reason),
        'no reason',
      );
      hold(!('mode' in input) || input.mode === 'interrupt', 'T8 interrupted without being asked to');
      return running ? { ...world, running: { ...running, aborted: true } } : world;
    }
    case 'answerQuestion': {
      const { running } = world;
      hold(running !== undefined && !running.aborted, 'answered a question of a turn that is over');
      hold(running?.questions.includes(effect.question) ?? false, 'answered what was not asked');
      const asked = effect.by === 'person' ? 'questionAnswered' : 'questionTimedOut';
      hold(input.kind === asked && input.question === effect.question, 'T11 answered by something else');
      const questions = running?.questions.filter((question) => question !== effect.question) ?? [];
      return running ? { ...world, running: { ...running, questions } } : world;
    }
    case 'suppressNotices':
      for (const notice of effect.notices) mayGo(world, before, input, notice, effect.reason);
      return served(world, [], effect.notices);
    case 'dropMessages':
      hold(input.kind === 'reset' || input.kind === 'closed' || before.life === 'closed', 'R7 dropped a message');
      return served(world, effect.messages, []);
    case 'withdrawMessage':
      hold(input.kind === 'messageWithdrawn' && input.message === effect.message, 'R7 withdrew a message');
      return served(world, [effect.message], []);
    case 'pause':
      hold(input.kind === 'turnEnded' && input.reason === 'failed', 'T10 paused');
      hold(!before.running?.aborted, 'T10 paused for a turn that was ended');
      return { ...world, paused: true };
    case 'wakeAt':
      hold(effect.at > world.now && effect.at <= world.now + figures.windowMs, 'N15 a wake at no sensible time');
      return { ...world, alarm: effect.at };
  }
}

function turnBegins(world: World, input: Input, effect: Extract<Effect, { kind: 'beginTurn' }>): World {
  hold(!world.running, 'T2 two turns at once');
  hold(world.life === 'open' && !world.draining, 'began while draining or closed');
  hold(effect.generation > world.highest, 'a generation twice');
  const running = { generation: effect.generation, by: effect.by, aborted: false, questions: [] };
  const begun = { ...world, highest: effect.generation, running };
  switch (effect.by) {
    case 'person': {
      const first = world.messages.find(({ mode }) => mode === 'interrupt') ?? world.messages[0];
      hold(same(effect.messages, first ? [first.message] : []), 'T3 not the message whose turn it was');
      return served(begun, effect.messages, []);
    }
    case 'wake': {
      hold(world.messages.length === 0, 'T3 a wake before a person');
      hold(!world.paused, 'T10 a wake while paused');
      const all = world.notices.map(({ notice }) => notice);
      hold(all.length > 0 && same(effect.notices, all), 'N9 not all that was due, in order');
      const recent = world.wakes.filter((at) => world.now - at < figures.windowMs);
      hold(recent.length < figures.wakes, 'N15 over the budget');
      hold(effect.heldBack === 0 || effect.heldBack === all.length, 'N15 a wrong count');
      return served({ ...begun, wakes: [...recent, world.now] }, [], effect.notices);
    }
    case 'resume': {
      const wanted =
        input.kind === 'restarted' && input.resumes && !world.messages.some(({ mode }) => mode === 'interrupt');
      hold(wanted || (world.unanswered && world.messages.length === 0), 'R1 resumed nothing');
      hold(!world.paused, 'T10 resumed while paused');
      return begun;
    }
  }
}

const isStale = (owed: Owed, world: World): boolean =>
  owed.startedIn !== undefined &&
  (owed.startedIn <= world.resetAt || (owed.kind === 'match' && owed.startedIn <= world.stopAt));

function mayGo(world: World, before: World, input: Input, notice: NoticeId, reason: string): void {
  const owed = world.notices.find((other) => other.notice === notice);
  const moved = input.kind === 'reset' || world.life === 'closed' || (owed?.startedIn ?? Infinity) <= world.resetAt;
  const stopped = owed?.kind === 'match' && (owed.startedIn ?? Infinity) <= world.stopAt;
  const own = owed?.kind === 'match' && owed.startedIn === before.running?.generation && endsTheTurn(before, input);
  const reasons: Record<string, boolean> = { [MOVED_ON]: moved, [STOPPED]: stopped, [UNTOLD]: own };
  hold(reasons[reason] ?? false, `N8 W10 suppressed for no reason: ${reason}`);
}

/** Takes them off what is owed; what is not owed cannot be served. */
function served(world: World, messages: readonly MessageId[], notices: readonly NoticeId[]): World {
  const owedMessages = world.messages.map(({ message }) => message);
  const owedNotices = world.notices.map(({ notice }) => notice);
  hold(
    messages.every((message) => owedMessages.includes(message)),
    'a message twice',
  );
  hold(
    notices.every((notice) => owedNotices.includes(notice)),
    'N7 a notice twice',
  );
  return {
    ...world,
    messages: world.messages.filter(({ message }) => !messages.includes(message)),
    notices: world.notices.filter(({ notice }) => !notices.includes(notice)),
  };
}

/** What must be true whenever the mailbox has nothing left to do. */
function atRest(world: World): void {
  hold(!world.notices.some((owed) => isStale(owed, world)), 'N8 W10 still owes what was put behind');
  if (world.life === 'closed') hold(world.messages.length + world.notices.length === 0, 'closed, and still owing');
  if (world.running || world.life !== 'open' || world.draining) return;
  hold(world.messages.length === 0, 'T2 a message is stranded');
  if (world.paused) return;
  hold(!world.unanswered, 'T10 what a failed turn was about is stranded');
  const held = (world.alarm ?? -1) > world.now;
  hold(world.notices.length === 0 || held, 'T2 a notice is stranded');
}
