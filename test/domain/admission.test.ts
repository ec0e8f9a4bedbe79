import { describe, expect, test } from 'vitest';
import type { MessageId, NoticeId, QuestionId } from '../../src/contract/ids.js';
import type { Mode } from '../../src/contract/journal.js';
import { step } from '../../src/domain/session/admission.js';
import { defaultBudget } from '../../src/domain/session/budget.js';
import {
  dispositionOf,
  newSession,
  stateOf,
  type Effect,
  type Input,
  type Mailbox,
} from '../../src/domain/session/mailbox.js';
import { MOVED_ON, STOPPED, UNTOLD, type Owed } from '../../src/domain/notice/owed.js';

const says = (name: string, mode: Mode = 'queue'): Input => ({ kind: 'personSpoke', message: name as MessageId, mode });
const fact = (...names: string[]): Input => ({
  kind: 'noticeDue',
  notices: names.map((name) => ({ notice: name as NoticeId, kind: 'fact' })),
});
const due = (name: string, kind: Owed['kind'], startedIn: number): Input => ({
  kind: 'noticeDue',
  notices: [{ notice: name as NoticeId, kind, startedIn }],
});
const ended = (generation: number, reason: 'finished' | 'failed' | 'stopped' = 'finished'): Input => ({
  kind: 'turnEnded',
  generation,
  reason,
  ...(reason === 'failed' && { why: 'no credit' }),
});
const stepOf = (generation: number): Input => ({ kind: 'stepReached', generation });
const asks = (generation: number, name: string): Input => ({
  kind: 'questionAsked',
  generation,
  question: name as QuestionId,
});

const at = (now: number) => ({ now, budget: defaultBudget, draining: false });

function play(...inputs: readonly Input[]): { readonly state: Mailbox; readonly last: readonly Effect[] } {
  let state = newSession;
  let last: readonly Effect[] = [];
  for (const input of inputs) ({ state, effects: last } = step(state, input, at(0)));
  return { state, last };
}

const person = (generation: number, message: string) => ({
  kind: 'beginTurn',
  generation,
  by: 'person',
  messages: [message],
});
const woken = (generation: number, ...notices: string[]) => ({
  kind: 'beginTurn',
  generation,
  by: 'wake',
  notices,
  heldBack: 0,
});

describe('a session', () => {
  test('T1 wakes with nobody there', () => {
    expect(play(fact('n1')).last).toEqual([woken(1, 'n1')]);
  });

  test('T2 N9 makes one wake of what became due during a turn, when the turn ends', () => {
    expect(play(says('m1'), fact('n1'), fact('n2', 'n3')).last).toEqual([]);
    expect(play(says('m1'), fact('n1'), fact('n2', 'n3'), ended(1)).last).toEqual([woken(2, 'n1', 'n2', 'n3')]);
  });

  test('T3 serves the person first and the wake after', () => {
    const both = [says('m1'), fact('n1'), says('m2'), ended(1)];
    expect(play(...both).last).toEqual([person(2, 'm2')]);
    expect(play(...both, ended(2)).last).toEqual([woken(3, 'n1')]);
  });

  test('T4 is quiet when a wake has ended', () => {
    expect(play(fact('n1'), ended(1)).last).toEqual([]);
  });

  test('T5 W10 stops the turn alone: completions still come, matches are behind it', () => {
    const stopped = [says('m1'), { kind: 'stopAsked' } as const];
    expect(play(...stopped).last).toEqual([{ kind: 'abortTurn', generation: 1, reason: 'stopped' }]);
    expect(play(...stopped, ended(1, 'stopped'), due('n1', 'fact', 1)).last).toEqual([woken(2, 'n1')]);
    expect(play(...stopped, due('n1', 'match', 1)).last).toEqual([
      { kind: 'suppressNotices', notices: ['n1'], reason: STOPPED },
    ]);
  });

  test('T7 hears nothing from a turn that is over', () => {
    const { state } = play(says('m1'), ended(1), says('m2'));
    expect(step(state, ended(1), at(0))).toEqual({ state, effects: [] });
    expect(step(state, stepOf(1), at(0))).toEqual({ state, effects: [] });
  });

  test('T8 queues, one turn a message', () => {
    expect(play(says('m1'), says('m2'), says('m3'), ended(1)).last).toEqual([person(2, 'm2')]);
  });

  test('T8 tells steering at the next step, and begins a turn with what came too late for one', () => {
    expect(play(says('m1'), says('m2', 'steer'), stepOf(1)).last).toEqual([
      { kind: 'tellAtStep', generation: 1, messages: ['m2'], notices: [] },
    ]);
    expect(play(says('m1'), says('m2', 'steer'), ended(1)).last).toEqual([person(2, 'm2')]);
  });

  test('T8 interrupts, and lets the interrupt go before those who wait', () => {
    const spoken = [says('m1'), says('m2'), says('m3', 'interrupt')];
    expect(play(...spoken).last).toEqual([{ kind: 'abortTurn', generation: 1, reason: 'interrupted' }]);
    expect(play(...spoken, ended(1)).last).toEqual([person(2, 'm3')]);
  });

  test('T8 says what becomes of a message', () => {
    const { state: running } = play(says('m1'));
    const { state: ending } = play(says('m1'), { kind: 'stopAsked' });
    expect(dispositionOf(newSession, 'steer', false)).toBe('started');
    expect(dispositionOf(newSession, 'steer', true)).toBe('queued');
    expect((['queue', 'steer', 'interrupt'] as const).map((mode) => dispositionOf(running, mode, false))).toEqual([
      'queued',
      'steered',
      'interrupted',
    ]);
    expect(dispositionOf(ending, 'steer', false)).toBe('queued');
  });

  test('T10 pauses wakes after a failure, says so once, and goes on for a person', () => {
    const failed = [fact('n1'), ended(1, 'failed')];
    expect(play(...failed).last).toEqual([{ kind: 'pause', why: 'no credit' }]);
    expect(stateOf(play(...failed, fact('n2')).state)).toBe('paused');
    expect(play(...failed, fact('n2')).last).toEqual([]);
    expect(play(...failed, fact('n2'), says('m1')).last).toEqual([person(2, 'm1')]);
    expect(play(...failed, fact('n2'), says('m1'), ended(2)).last).toEqual([woken(3, 'n2')]);
  });

  test('T10 takes a failed wake up again with new credentials, then what became due meanwhile', () => {
    const lifted = [fact('n1'), ended(1, 'failed'), fact('n2'), { kind: 'pauseLifted' } as const];
    expect(play(...lifted).last).toEqual([{ kind: 'beginTurn', generation: 2, by: 'resume' }]);
    expect(play(...lifted, ended(2)).last).toEqual([woken(3, 'n2')]);
  });

  const resumed = (generation: number) => ({ kind: 'beginTurn', generation, by: 'resume' });

  test.each([{ kind: 'pauseLifted' }, { kind: 'resumeAsked', unfinished: true }] as const)(
    'T10 takes up a person’s failed turn once after $kind, before the wakes that waited',
    (lifted) => {
      const failed = [says('m1'), fact('n1'), ended(1, 'failed')];
      expect(play(...failed, lifted).last).toEqual([resumed(2)]);
      expect(play(...failed, lifted, lifted).last).toEqual([]);
      expect(play(...failed, lifted, ended(2)).last).toEqual([woken(3, 'n1')]);
      expect(play(...failed, lifted, ended(2), ended(3), { kind: 'pauseLifted' }).last).toEqual([]);
    },
  );

  test('T10 lets the next message of a person answer for the one that failed', () => {
    const next = [says('m1'), ended(1, 'failed'), says('m2')];
    expect(play(...next).last).toEqual([person(2, 'm2')]);
    expect(play(...next, ended(2), { kind: 'pauseLifted' }).last).toEqual([]);
  });

  test('T10 is paused no longer when a message that waited was answered after the failure', () => {
    const waited = [says('m1'), says('m2'), ended(1, 'failed')];
    expect(play(...waited).last).toEqual([{ kind: 'pause', why: 'no credit' }, person(2, 'm2')]);
    expect(play(...waited, ended(2)).last).toEqual([]);
    expect(stateOf(play(...waited, ended(2)).state)).toBe('idle');
  });

  test('R1 takes up what a restart left when a person asks for it, and nothing beside a turn', () => {
    const left = [says('m1'), { kind: 'restarted', resumes: false } as const];
    const asked = { kind: 'resumeAsked', unfinished: true } as const;
    expect(play(...left, asked).last).toEqual([resumed(2)]);
    expect(play(...left, asked, asked, ended(2)).last).toEqual([]);
    expect(play(...left, { kind: 'resumeAsked', unfinished: false }).last).toEqual([]);
    expect(play(...left, { kind: 'closed' }, asked, { kind: 'reopened' }).last).toEqual([]);
  });

  test('T10 remembers with the pause what was tried', () => {
    const { state } = play(says('m1'), { ...ended(1, 'failed'), tried: 'a/b c' } as Input);
    expect(state.pause).toEqual({ why: 'no credit', tried: 'a/b c' });
  });

  test('T11 keeps wakes behind a question, and lets no message answer it, whatever its mode', () => {
    const asked = [says('m1'), asks(1, 'q1'), fact('n1')];
    expect(stateOf(play(...asked).state)).toBe('waiting');
    expect(play(...asked).last).toEqual([]);
    expect(play(...asked, says('m2', 'steer')).last).toEqual([]);
    const steering = { kind: 'messageChanged', message: 'm2' as MessageId, mode: 'steer' } as const;
    expect(play(...asked, says('m2'), steering).last).toEqual([]);
    expect(play(...asked, says('m2', 'interrupt')).last).toEqual([
      { kind: 'abortTurn', generation: 1, reason: 'interrupted' },
    ]);
    expect(play(...asked, { kind: 'questionAnswered', question: 'q2' as QuestionId }).last).toEqual([]);
    expect(play(...asked, { kind: 'questionAnswered', question: 'q1' as QuestionId }).last).toEqual([
      { kind: 'answerQuestion', question: 'q1', by: 'person' },
    ]);
    expect(play(...asked, { kind: 'questionTimedOut', question: 'q1' as QuestionId }).last).toEqual([
      { kind: 'answerQuestion', question: 'q1', by: 'timeout' },
    ]);
  });

  test('W10 tells a match of the running turn at its next step, or drops it when the turn ends', () => {
    const matched = [says('m1'), due('n1', 'match', 1)];
    expect(play(...matched, stepOf(1)).last).toEqual([
      { kind: 'tellAtStep', generation: 1, messages: [], notices: ['n1'] },
    ]);
    expect(play(...matched, ended(1)).last).toEqual([{ kind: 'suppressNotices', notices: ['n1'], reason: UNTOLD }]);
    expect(play(says('m1'), ended(1), due('n1', 'match', 1)).last).toEqual([woken(2, 'n1')]);
  });

  test('W6 W10 tells the last match of a process at the next step, and wakes with it when none comes', () => {
    const matched = [says('m1'), due('n1', 'lastMatch', 1)];
    expect(play(...matched, stepOf(1)).last).toEqual([
      { kind: 'tellAtStep', generation: 1, messages: [], notices: ['n1'] },
    ]);
    expect(play(...matched, ended(1)).last).toEqual([woken(2, 'n1')]);
  });

  test('N8 moves on when its person resets it, and tells nothing of before', () => {
    const reset = [says('m1'), says('m2'), fact('n1'), { kind: 'reset' } as const];
    expect(play(...reset).last).toEqual([
      { kind: 'dropMessages', messages: ['m2'] },
      { kind: 'suppressNotices', notices: ['n1'], reason: MOVED_ON },
      { kind: 'abortTurn', generation: 1, reason: 'superseded' },
    ]);
    expect(play(...reset, ended(1), due('n2', 'fact', 1)).last).toEqual([
      { kind: 'suppressNotices', notices: ['n2'], reason: MOVED_ON },
    ]);
    expect(play(...reset, ended(1), says('m3')).last).toEqual([person(3, 'm3')]);
  });

  test('N15 holds back after the budget is spent, and carries it all in one digest', () => {
    const inputs = Array.from({ length: 10 }, (_, index) => [fact(`n${index}`), ended(index + 1)]).flat();
    const { state, last } = play(...inputs, fact('n10'));
    expect(last).toEqual([{ kind: 'wakeAt', at: defaultBudget.windowMs }]);
    const more = step(state, fact('n11'), at(1_000));
    expect(more.effects).toEqual(last);
    expect(step(more.state, { kind: 'looked' }, at(defaultBudget.windowMs)).effects).toEqual([
      { ...woken(11, 'n10', 'n11'), heldBack: 2 },
    ]);
    expect(step(more.state, says('m1'), at(2_000)).effects).toEqual([person(11, 'm1')]);
  });

  test('N7 is idle after a wake whose notices were all settled meanwhile, and wakes for what became due since', () => {
    const missed = { kind: 'wakeNotBegun', generation: 1 } as const;
    expect(play(fact('n1'), missed).last).toEqual([]);
    expect(stateOf(play(fact('n1'), missed).state)).toBe('idle');
    expect(play(fact('n1'), fact('n2'), missed).last).toEqual([woken(2, 'n2')]);
  });

  test('R6 R7 begins nothing while it drains, and keeps what comes', () => {
    const { state: running } = play(says('m1'), says('m2'), fact('n1'));
    const drained = step(running, ended(1), { ...at(0), draining: true });
    expect(drained.effects).toEqual([]);
    expect(drained.state).toMatchObject({ queued: [{ message: 'm2' }], due: [{ notice: 'n1' }] });
  });

  test('R1 resumes before those who waited behind the turn, but not against an interrupt', () => {
    const left = (mode: Mode): Mailbox => ({
      ...newSession,
      generation: 4,
      turn: { generation: 4, by: 'person', phase: { kind: 'running' } },
      queued: [{ message: 'm1' as MessageId, mode }],
    });
    const restarted = { kind: 'restarted', resumes: true } as const;
    expect(step(left('queue'), restarted, at(0)).effects).toEqual([{ kind: 'beginTurn', generation: 5, by: 'resume' }]);
    expect(step(left('interrupt'), restarted, at(0)).effects).toEqual([person(5, 'm1')]);
  });

  test('R2 does not go on with what is not to be resumed, nor with what a person was ending', () => {
    const ending = play(says('m1'), { kind: 'stopAsked' }, { kind: 'restarted', resumes: true });
    expect(ending.last).toEqual([]);
    expect(ending.state.turn).toBeUndefined();
    expect(play(says('m1'), { kind: 'restarted', resumes: false }).state.turn).toBeUndefined();
  });
});
