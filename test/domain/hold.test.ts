import { describe, expect, test } from 'vitest';
import type { MessageId, NoticeId, QuestionId } from '../../src/contract/ids.js';
import { holdsOn, type Circumstances } from '../../src/domain/session/holds.js';
import { newSession, type Mailbox, type Turn } from '../../src/domain/session/mailbox.js';
import { holdInWords, whySession } from '../../src/domain/notice/why.js';
import { sessionId } from './causes.js';

const notice = 'ntc_1' as NoticeId;
const question = 'qst_1' as QuestionId;
const budget = { wakes: 2, windowMs: 60_000 };
const around: Circumstances = { now: 1_000, budget, draining: false, owed: 3 };
const asked = [{ question, expiresAt: 9_000 }];
const turn = (phase: Turn['phase']): Turn => ({ generation: 4, by: 'person', phase });
const running = turn({ kind: 'running' });

const held = (mailbox: Partial<Mailbox>, more: Partial<Circumstances> = {}, session: object = {}) =>
  holdsOn(
    { agent: 'rouse', turn: { asked }, ...session, mailbox: { ...newSession, ...mailbox } },
    { ...around, ...more },
    notice,
  );
const time = (at: number) => `T+${at}`;
const words = (...args: Parameters<typeof held>) =>
  held(...args)
    .map((hold) => holdInWords(hold, sessionId, { time }))
    .join('; ');

describe('N14 what is held back', () => {
  test('is nothing in an idle session', () => {
    expect(held({})).toEqual([]);
  });

  test('waits for the end of the turn that runs', () => {
    expect(words({ turn: running })).toBe(
      "the turn of a person's message (generation 4) is still running, and Rouse wakes the agent after it ends",
    );
  });

  test('waits for the next step when the running turn started the process', () => {
    const due = [{ notice, kind: 'match', startedIn: 4 }] as const;
    expect(held({ turn: running, due })).toEqual([{ kind: 'nextStep' }]);
    expect(held({ turn: running, due: [{ ...due[0], kind: 'fact' }] })).toMatchObject([{ kind: 'turn' }]);
  });

  test('waits behind a question, with its name, its time and how to answer', () => {
    expect(words({ turn: turn({ kind: 'waiting', questions: [question] }) })).toBe(
      `the running turn waits for a person to answer qst_1 until T+9000; to answer: rouse answer ${sessionId} TEXT --question qst_1`,
    );
  });

  test('N15 waits for the window of the budget, with the count and the time', () => {
    expect(words({ budget: [500, 700] })).toBe(
      'the session has used its wake budget (2 wakes in 1m without a message from a person), so Rouse delivers all 3 notices together at T+60500, or when a person sends a message (N15)',
    );
    expect(words({ budget: [500, 700] }, { owed: 1 })).toContain('so Rouse delivers it at T+60500');
    expect(held({ budget: [500, 700] }, { now: 60_500 })).toEqual([]);
  });

  test('T10 waits for the end of a pause, with its reason and what lifts it', () => {
    expect(words({ pause: { why: 'There is no credit left.' } })).toBe(
      `wakes of this session are paused because a turn failed: There is no credit left. To resume, send a message, run "rouse resume ${sessionId}", or change the model or its credentials (T10)`,
    );
  });

  test('is held by several things in the order in which they end', () => {
    const queued = [{ message: 'm1' as MessageId, mode: 'queue' as const }];
    const all = held({ turn: running, queued, pause: { why: 'x' }, budget: [500, 700] }, { draining: true });
    expect(all.map(({ kind }) => kind)).toEqual(['turn', 'stoppingHost', 'messages', 'pause', 'budget']);
    expect(words({ queued }, { draining: true })).toBe(
      'this host is stopping, and the next host delivers it; one message from a person comes first',
    );
  });

  test('waits for its webhook, or for people where there is no reader', () => {
    const paused = { pause: { why: 'x' } };
    expect(held(paused, {}, { webhook: { url: 'x' } })).toEqual([{ kind: 'webhook' }]);
    expect(held(paused, {}, { agent: 'none' })).toEqual([{ kind: 'noReader' }]);
  });
});

test('N14 a session says what it is owed and what holds it back', () => {
  const session = { id: sessionId, state: 'idle', owed: 0 };
  expect(whySession(session, { time })).toBe(
    `Session ${sessionId} is idle and has no pending notices; nothing is blocking it.`,
  );
  expect(
    whySession({ ...session, state: 'running', owed: 2 }, { time, session: 'Builds', holds: held({ turn: running }) }),
  ).toBe(
    `Session "Builds" (${sessionId}) is running and has 2 notices pending: the turn of a person's message (generation 4) is still running, and Rouse wakes the agent after it ends.`,
  );
});
