import { describe, expect, test } from 'vitest';
import { TurnId } from '../../src/contract/ids.js';
import type { Cause } from '../../src/contract/notice.js';
import {
  attemptFailed,
  born,
  consumed,
  delivered,
  dismissed,
  retried,
  suppressed,
  SUPPRESSIONS,
  type Standing,
} from '../../src/domain/notice/settle.js';
import { why, whyNothing, type Silent } from '../../src/domain/notice/why.js';
import {
  completion,
  disabled,
  everyCause,
  match,
  message,
  noticeId,
  processId,
  released,
  sessionId,
  tripped,
} from './causes.js';

const names = { time: (at: number) => `12:00:0${at}`, session: 'Builds' };
const turn = TurnId.parse('turn_000000000001');
const owed = born(completion(), { closed: false, policy: 'always' }, 0);
const figures = { attempts: 2, firstRetryMs: 4, longestRetryMs: 4 };

const of = (standing: Standing | string, cause: Cause = completion()) => {
  if (typeof standing === 'string') throw new Error(standing);
  return why({ id: noticeId, session: sessionId, cause, at: 0, standing }, names);
};
const failedOnce = attemptFailed(owed, 'it answered 500', 1, figures) as Standing;
const dead = attemptFailed(failedOnce, 'it hung', 5, figures) as Standing;
const THE_END = 'The end of `make test` (proc_00000000000a, exit 3)';

describe('why', () => {
  test('N14 says what is owed and waits', () => {
    expect(of(owed)).toBe(`${THE_END} has been pending for session "Builds" since 12:00:00 and waits for delivery.`);
  });

  test('N14 says when it is tried again, and what failed', () => {
    expect(of(failedOnce)).toBe(
      `${THE_END} has been pending for session "Builds" since 12:00:00 and will be sent to the webhook again at 12:00:05 (attempt 2); attempt 1 failed: it answered 500.`,
    );
  });

  test('N14 counts on after a retry', () => {
    expect(of(retried(dead, 7))).toContain(
      'will be sent to the webhook again at 12:00:07 (attempt 3); attempt 2 failed',
    );
  });

  test('N14 says to whom it was told, and in which turn', () => {
    expect(of(delivered(owed, 'wake', 3, turn))).toBe(
      `${THE_END} was delivered to session "Builds" by wake at 12:00:03 in turn_000000000001 (N7).`,
    );
  });

  test('N14 says that it took more than one attempt', () => {
    expect(of(delivered(failedOnce, 'webhook', 5))).toBe(
      `${THE_END} was delivered to session "Builds" by webhook at 12:00:05, at attempt 2; the previous one failed: it answered 500 (N7).`,
    );
  });

  test('N3 N14 says what had shown it to the agent', () => {
    expect(of(consumed(owed, 'wait', 2))).toBe(
      `${THE_END} was not sent to session "Builds" because the agent had already seen it: \`wait\` showed it at 12:00:02 (N3).`,
    );
  });

  test('N8 N14 says that the session had moved on', () => {
    expect(of(suppressed(owed, 'session moved on', 2))).toBe(
      `${THE_END} was not sent to session "Builds": a person had closed or reset the session. That was settled at 12:00:02 (N8).`,
    );
  });

  test('N14 says who dismissed it', () => {
    expect(of(dismissed(dead, 'ann', 9))).toContain('ann dismissed it. That was settled at 12:00:09 (N11)');
  });

  test('N11 N14 says that it is dead, of what, and what a person can do', () => {
    expect(of(dead)).toBe(
      `${THE_END} could not be delivered to session "Builds": all 2 attempts at the webhook failed, the last at 12:00:05: it hung (N11). To try again: rouse notices retry ntc_000000000001`,
    );
  });

  test.each([
    ['The match of "listening on" in `./server` (proc_00000000000a)', match()],
    ['The notice that `./server` (proc_00000000000a) is no longer watched', disabled],
    ['The notice that too many lines matched at once (the last one of proc_00000000000a)', tripped],
    ['The notice that matches are reported again', released],
    ['The message "deployed" from webhook', message('deployed')],
  ])('N14 names its fact: %s', (words, cause) => {
    expect(of(owed, cause).startsWith(`${words} has been pending`)).toBe(true);
  });

  test('N14 has a sentence of its own for every reason and every fact', () => {
    const reasons = Object.keys(SUPPRESSIONS) as (keyof typeof SUPPRESSIONS)[];
    const sentences = reasons.flatMap((reason) => everyCause.map((cause) => of(suppressed(owed, reason, 2), cause)));
    expect(new Set(sentences).size).toBe(reasons.length * everyCause.length);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\([NW]\d+\)\.$/);
  });

  test('N10 N14 is one line, whatever others wrote', () => {
    const evil = 'a\n\u001b[2J\u202eb';
    const standing = attemptFailed(owed, evil, 1) as Standing;
    const sentence = why(
      { id: noticeId, session: sessionId, cause: completion({ command: evil }), at: 0, standing },
      { ...names, session: evil },
    );
    expect(sentence).not.toMatch(/\p{Cc}|\p{Default_Ignorable_Code_Point}/u);
  });
});

describe('why nothing', () => {
  const silent = (given: Partial<Silent>): string =>
    whyNothing({
      id: processId,
      command: 'make',
      session: sessionId,
      notifyOnComplete: false,
      watchPatterns: [],
      state: 'ended',
      ...given,
    });

  test.each([
    ['it has no session', { session: undefined }],
    ['it was started without --notify (notifyOnComplete)', {}],
    ['no line that it printed matched a pattern', { watchPatterns: ['x'] }],
    ['has printed no match yet', { watchPatterns: ['x'], state: 'running' as const }],
    ['When it ends, Rouse notifies session ses_00000000000b', { notifyOnComplete: true, state: 'running' as const }],
    [
      'Rouse searched 10 bytes of its output and found no match',
      { watchPatterns: ['x'], outputBytes: 30, searched: 10 },
    ],
    ['has not recorded the notice yet', { notifyOnComplete: true }],
  ])('N2 N14 says: %s', (words, given) => {
    expect(silent(given)).toContain(words);
    expect(silent(given)).toMatch(/^`make` \(proc_00000000000a\)/);
  });

  test.each([{ session: undefined }, {}, { watchPatterns: ['x'] }])('N2 names the option that asks for it', (given) => {
    expect(silent(given)).toContain('--notify');
  });
});
