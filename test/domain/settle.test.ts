import { describe, expect, test } from 'vitest';
import { TurnId } from '../../src/contract/ids.js';
import {
  attemptFailed,
  born,
  consumed,
  delivered,
  dismissed,
  RETRY_FIGURES,
  retried,
  suppressed,
  type Standing,
} from '../../src/domain/notice/settle.js';
import { completion, match } from './causes.js';

const turn = TurnId.parse('turn_000000000001');
const owed = born(completion(), { closed: false, policy: 'always' }, 100);

/** Lets so many attempts fail, each at the moment it was due. */
function failing(standing: Standing, times: number, figures = RETRY_FIGURES): { last: Standing; pauses: number[] } {
  let last = standing;
  const pauses: number[] = [];
  for (let failure = 0; failure < times && last.kind === 'pending'; failure++) {
    const now = last.dueAt;
    const next = attemptFailed(last, `it answered 50${failure}`, now, figures);
    if (next === 'settled already') throw new Error('a pending notice was called settled');
    last = next;
    if (last.kind === 'pending') pauses.push(last.dueAt - now);
  }
  return { last, pauses };
}

describe('a notice', () => {
  test('is owed, and due at once', () => {
    expect(owed).toEqual({ kind: 'pending', attempts: 0, dueAt: 100 });
  });

  test('N8 is not owed to a session that has moved on', () => {
    expect(born(completion(), { closed: true, policy: 'never' }, 100)).toEqual({
      kind: 'settled',
      state: 'suppressed',
      reason: 'session moved on',
      rule: 'N8',
      by: 'rouse',
      at: 100,
      attempts: 0,
    });
  });

  test('N12 is not owed where the policy leaves it out', () => {
    expect(born(match(), { closed: false, policy: 'failure' }, 100)).toMatchObject({
      state: 'suppressed',
      reason: 'policy',
      rule: 'N12',
    });
  });

  test('N7 is delivered once, to somebody, in a turn', () => {
    const told = delivered(owed, 'webhook', 200, turn);
    expect(told).toMatchObject({ state: 'delivered', rule: 'N7', by: 'webhook', at: 200, turn, attempts: 1 });
    if (told !== 'settled already') expect(delivered(told, 'webhook', 300)).toBe('settled already');
  });

  test('N3 is consumed by what showed it, which is no attempt', () => {
    expect(consumed(owed, 'wait', 200, turn)).toMatchObject({
      state: 'consumed',
      rule: 'N3',
      by: 'wait',
      turn,
      attempts: 0,
    });
  });

  test.each([
    ['its turn was stopped', 'W10'],
    ['its turn ended before a step at which it could be told', 'W10'],
  ] as const)('is suppressed because %s (%s)', (reason, rule) => {
    expect(suppressed(owed, reason, 200)).toMatchObject({ state: 'suppressed', reason, rule, at: 200 });
  });
});

describe('N11 a notice whose attempts fail', () => {
  test('waits twice as long each time', () => {
    const { last, pauses } = failing(owed, 7);
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000]);
    expect(last).toMatchObject({ kind: 'pending', attempts: 7, lastFailure: 'it answered 506' });
  });

  test('never waits longer than the longest pause', () => {
    const { pauses } = failing(owed, 2_000, { ...RETRY_FIGURES, attempts: 3_000 });
    expect(Math.max(...pauses)).toBe(600_000);
    expect(pauses.at(-1)).toBe(600_000);
  });

  test('is dead after the last, and says of what', () => {
    expect(failing(owed, 100).last).toMatchObject({
      state: 'dead',
      attempts: 8,
      reason: 'given up: it answered 507',
      lastFailure: 'it answered 507',
    });
  });

  test('has a whole new series when a person retries it, and forgets no attempt', () => {
    const again = retried(failing(owed, 100).last, 5_000_000);
    expect(again).toMatchObject({ kind: 'pending', dueAt: 5_000_000, attempts: 8 });
    if (typeof again === 'string') throw new Error(again);
    const { last, pauses } = failing(again, 100);
    expect(pauses).toHaveLength(7);
    expect(pauses[0]).toBe(1_000);
    expect(last).toMatchObject({ state: 'dead', attempts: 16 });
  });

  test('can be delivered after all, and remembers what failed', () => {
    const { last } = failing(owed, 1);
    expect(delivered(last, 'webhook', 9_000)).toMatchObject({ attempts: 2, lastFailure: 'it answered 500' });
  });

  test('can be retried only when it is dead', () => {
    expect(retried(owed, 200)).toBe('still pending');
    expect(retried(born(completion(), { closed: true, policy: 'always' }, 1), 200)).toBe('settled already');
  });

  test('can be dismissed while it waits and when it is dead', () => {
    const dead = failing(owed, 100).last;
    for (const standing of [owed, dead])
      expect(dismissed(standing, 'ann', 200)).toMatchObject({
        state: 'suppressed',
        reason: 'dismissed',
        by: 'ann',
        attempts: standing.attempts,
      });
  });
});

/**
 * The world: readers, tools, people and sweeps that all try to settle the same notice, in any order and again. Beside
 * the notice walks a model that knows only its state and how many failures it still bears.
 */
describe('every path', () => {
  const figures = { attempts: 2, firstRetryMs: 10, longestRetryMs: 15 };
  type Act = (standing: Standing, now: number) => Standing | 'settled already' | 'still pending';
  const acts: Record<string, Act> = {
    deliver: (standing, now) => delivered(standing, 'webhook', now),
    consume: (standing, now) => consumed(standing, 'wait', now),
    suppress: (standing, now) => suppressed(standing, 'its turn was stopped', now),
    fail: (standing, now) => attemptFailed(standing, 'it hung', now, figures),
    dismiss: (standing, now) => dismissed(standing, 'ann', now),
    retry: (standing, now) => retried(standing, now),
  };
  const outcomes: Record<string, string> = {
    deliver: 'delivered',
    consume: 'consumed',
    suppress: 'suppressed',
    dismiss: 'suppressed',
  };

  type Model = { readonly state: string; readonly bears: number };

  function expected({ state, bears }: Model, act: string): Model {
    if (state === 'pending' && act === 'fail')
      return bears === 1 ? { state: 'dead', bears: 0 } : { state, bears: bears - 1 };
    if (state === 'dead' && act === 'retry') return { state: 'pending', bears: figures.attempts };
    if (state === 'dead' && act === 'dismiss') return { state: 'suppressed', bears };
    return state === 'pending' ? { state: outcomes[act] ?? state, bears } : { state, bears };
  }

  const stateOf = (standing: Standing) => (standing.kind === 'pending' ? 'pending' : standing.state);

  function check(before: Standing, after: Standing, changed: boolean, now: number): void {
    if (after.attempts < before.attempts) throw new Error('N11: an attempt was forgotten');
    if (!changed) return;
    if (after.kind === 'pending' && (after.dueAt < now || after.dueAt > now + figures.longestRetryMs))
      throw new Error('N11: due in the past, or later than the longest pause');
    if (after.kind === 'settled' && !(after.reason && after.by && /^[NW]\d+$/.test(after.rule) && after.at === now))
      throw new Error('N14: a settlement that cannot be explained');
  }

  function walk(standing: Standing, model: Model, depth: number): number {
    if (depth === 0) return 1;
    let paths = 0;
    for (const [name, act] of Object.entries(acts)) {
      const now = 1_000 - depth;
      const next = act(standing, now);
      const after = typeof next === 'string' ? standing : next;
      const modelAfter = expected(model, name);
      if (stateOf(after) !== modelAfter.state) throw new Error(`${name} made ${stateOf(after)} of ${model.state}`);
      check(standing, after, after !== standing, now);
      // Once nothing can change, one look at every act is as good as every path of them.
      const over = after === standing && !['pending', 'dead'].includes(model.state);
      paths += over ? 1 : walk(after, modelAfter, depth - 1);
    }
    return paths;
  }

  test('N7 N11 is settled once, whoever comes, and only a dead notice comes back', () => {
    expect(walk(owed, { state: 'pending', bears: figures.attempts }, 8)).toBeGreaterThan(1_000);
  });
});
