import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MessageId, NoticeId, QuestionId } from '../../src/contract/ids.js';
import { step } from '../../src/domain/session/admission.js';
import { newSession, stateOf, type Input, type Mailbox } from '../../src/domain/session/mailbox.js';
import type { Owed } from '../../src/domain/notice/owed.js';
import { emptyWorld, figures, observe, type World } from './session-world.js';

const MODES = ['queue', 'steer', 'interrupt'] as const;

type Node = { readonly state: Mailbox; readonly world: World };

/** The lowest number that nothing owed bears: names that are free again keep the number of worlds small. */
function free<Id extends string>(prefix: string, taken: readonly string[]): Id {
  let number = 1;
  while (taken.includes(`${prefix}${number}`)) number += 1;
  return `${prefix}${number}` as Id;
}

/** An input, and what happens to the world before it: time passes, or the host begins to stop. */
type Event = Input & { readonly later?: number; readonly drains?: boolean };

/** Everything that can be said to a session in this world: news on time, late, doubled or of another turn. */
function possible(world: World, room: number): readonly Event[] {
  const { running, highest } = world;
  const generation = running?.generation ?? highest;
  const message = free<MessageId>(
    'm',
    world.messages.map((waiting) => waiting.message),
  );
  const notice = free<NoticeId>(
    'n',
    world.notices.map((owed) => owed.notice),
  );
  const question = free<QuestionId>('q', running?.questions ?? []);
  const asked = running?.questions[0] ?? ('q9' as QuestionId);
  const speak = MODES.map((mode): Input => ({
    kind: 'personSpoke',
    message,
    mode,
  }));
  const due = (['match', 'lastMatch', 'fact'] as const).flatMap((kind): Input[] => [
    { kind: 'noticeDue', notices: [{ notice, kind, startedIn: generation }] },
    { kind: 'noticeDue', notices: [{ notice, kind, startedIn: generation - 1 }] },
  ]);
  const outside: Input = { kind: 'noticeDue', notices: [{ notice, kind: 'fact' }] };
  const ended = (['finished', 'failed', 'stopped'] as const).map((reason): Input => ({
    kind: 'turnEnded',
    generation,
    reason,
  }));
  return [
    ...(world.messages.length < room ? speak : []),
    ...world.messages
      .slice(0, 2)
      .flatMap(({ message: waits }): Input[] => [
        { kind: 'messageWithdrawn', message: waits },
        ...MODES.map((mode): Input => ({ kind: 'messageChanged', message: waits, mode })),
      ]),
    { kind: 'messageWithdrawn', message: 'm9' as MessageId },
    { kind: 'messageChanged', message: 'm9' as MessageId, mode: 'interrupt' },
    ...(world.notices.length < room ? [...due, outside] : []),
    ...(world.notices[0] ? [{ kind: 'noticeSettled', notices: [world.notices[0].notice] } as const] : []),
    { kind: 'stepReached', generation },
    { kind: 'stepReached', generation: generation - 1 },
    ...((running?.questions.length ?? 0) < 2 ? [{ kind: 'questionAsked', generation, question } as const] : []),
    { kind: 'questionAsked', generation: generation - 1, question: 'q8' as QuestionId },
    { kind: 'questionAnswered', question: asked },
    { kind: 'questionTimedOut', question: asked },
    ...ended,
    { kind: 'turnEnded', generation: generation - 1, reason: 'failed' },
    ...(running?.by === 'wake' ? [{ kind: 'wakeNotBegun', generation } as const] : []),
    { kind: 'stopAsked' },
    { kind: 'restarted', resumes: true },
    { kind: 'restarted', resumes: false },
    { kind: 'pauseLifted' },
    { kind: 'resumeAsked', unfinished: true },
    { kind: 'resumeAsked', unfinished: false },
    { kind: 'reset' },
    { kind: 'closed' },
    { kind: 'reopened' },
    { kind: 'looked' },
    { kind: 'looked', drains: true },
    { kind: 'looked', later: 60 },
  ];
}

function after(node: Node, { later = 0, drains = node.world.draining, ...input }: Event): Node {
  const isSame = later === 0 && drains === node.world.draining;
  const world = isSame ? node.world : { ...node.world, now: node.world.now + later, draining: drains };
  const { state, effects } = step(node.state, input, { now: world.now, budget: figures, draining: drains });
  const next = observe(world, input, effects);
  const shown = next.running
    ? next.running.questions.length > 0 && !next.running.aborted
      ? 'waiting'
      : 'running'
    : '';
  if (stateOf(state) !== (shown || (next.paused ? 'paused' : 'idle'))) throw new Error('shows another state');
  return state === node.state && next === node.world ? node : { state, world: next };
}

const start: Node = { state: newSession, world: emptyWorld };

/** Two nodes that differ only in what time it is, or in how many turns there were before, are one. */
function nameOf({ state, world }: Node): string {
  const ago = (at = -Infinity) => Math.max(at - world.now, -figures.windowMs);
  const before = (generation = 99) => Math.max(generation - world.highest, -4);
  const owed = (list: readonly Owed[]) => list.map((one) => `${one.notice}${one.kind}${before(one.startedIn)}`);
  const said = (list: World['messages']) => list.map((one) => `${one.message}${one.mode}`);
  const { turn } = state;
  const phase = turn?.phase.kind === 'waiting' ? turn.phase.questions : [turn?.phase.kind];
  return [
    [state.life, before(state.generation), before(turn?.generation), turn?.by, phase, state.pause?.why],
    [said(state.queued), owed(state.due), state.unanswered, state.budget.map(ago), ago(state.heldUntil)],
    [before(state.behind.reset), before(state.behind.stop)],
    [world.life, world.draining, before(world.running?.generation), world.running?.aborted, world.running?.questions],
    [said(world.messages), owed(world.notices), world.paused, world.unanswered],
    [before(world.resetAt), before(world.stopAt), world.wakes.map(ago), ago(world.alarm)],
  ].join('|');
}

/** Walks every path of so many inputs of these kinds, and goes on from each situation once. */
function walk(depth: number, kinds: readonly Input['kind'][] | 'all'): number {
  const known = new Set([nameOf(start)]);
  let edge: readonly Node[] = [start];
  let steps = 0;
  for (let length = 0; length < depth; length += 1) {
    const next: Node[] = [];
    for (const node of edge)
      for (const input of possible(node.world, 2)) {
        if (kinds !== 'all' && !kinds.includes(input.kind)) continue;
        steps += 1;
        const reached = after(node, input);
        if (reached === node) continue;
        const name = nameOf(reached);
        if (!known.has(name)) next.push(reached);
        known.add(name);
      }
    edge = next;
  }
  return steps;
}

describe('every path of a session', () => {
  test('of five inputs of any kind: has one turn at most, strands nothing and serves everything once', () => {
    expect(walk(5, 'all')).toBeGreaterThan(50_000);
  });

  test('T2 T3 T8 of nine: serves people in their order, with steering, interrupts and stops', () => {
    expect(walk(9, ['personSpoke', 'stepReached', 'turnEnded', 'stopAsked'])).toBeGreaterThan(2_000);
  });

  test('T8 of seven: lets people think better of what waits, also while a question waits', () => {
    const changed = ['messageChanged', 'messageWithdrawn'] as const;
    expect(walk(7, ['personSpoke', ...changed, 'stepReached', 'questionAsked', 'turnEnded'])).toBeGreaterThan(3_000);
  });

  test('T2 T5 W10 N9 of nine: wakes for what is due together, and tells matches at a step or not at all', () => {
    const kinds = ['noticeDue', 'noticeSettled', 'stepReached', 'turnEnded', 'stopAsked'] as const;
    expect(walk(9, kinds)).toBeGreaterThan(7_000);
  });

  test('T11 of eight: lets people and the time answer questions, and nobody else', () => {
    const asked = ['questionAsked', 'questionAnswered', 'questionTimedOut'] as const;
    expect(walk(8, ['personSpoke', ...asked, 'stopAsked', 'turnEnded'])).toBeGreaterThan(3_000);
  });

  test('T10 N15 of six: pauses, holds back, and forgets nothing meanwhile', () => {
    const kinds = ['noticeDue', 'turnEnded', 'wakeNotBegun', 'pauseLifted', 'looked', 'reset'] as const;
    expect(walk(6, kinds)).toBeGreaterThan(5_000);
  });

  test('T10 of seven: takes up what failed once, for people and wakes, after any way in which a pause is lifted', () => {
    const kinds = ['personSpoke', 'noticeDue', 'turnEnded', 'pauseLifted', 'resumeAsked', 'stopAsked'] as const;
    expect(walk(7, kinds)).toBeGreaterThan(20_000);
  });

  test('N8 R6 R7 of six: is reset, drained, closed and resumed at any moment', () => {
    const ends = ['reset', 'closed', 'looked', 'restarted'] as const;
    expect(walk(6, ['personSpoke', 'noticeDue', 'turnEnded', ...ends])).toBeGreaterThan(20_000);
  });

  test('holds for long schedules, whatever comes in whichever order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(999), { minLength: 20, maxLength: 200 }), (choices) => {
        choices.reduce((node, choice) => {
          const inputs = possible(node.world, 4);
          return after(node, inputs[choice % inputs.length] ?? { kind: 'looked' });
        }, start);
      }),
      { numRuns: 300 },
    );
  });
});
