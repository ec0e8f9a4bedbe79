import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultBudget, freshBudget, spend, type Budget } from '../../src/domain/session/budget.js';

const figures = { wakes: 3, windowMs: 1_000 };

/** Tries to wake at each of these times, and tells when it was let. */
function wakesOf(times: readonly number[], budget: Budget = freshBudget): { wakes: number[]; budget: Budget } {
  const wakes: number[] = [];
  let left = budget;
  for (const now of times) {
    const spending = spend(left, now, figures);
    if (spending.kind === 'wake') wakes.push(now);
    left = spending.budget;
  }
  return { wakes, budget: left };
}

describe('the wake budget', () => {
  test('N15 lets so many through in a window, then says when the digest comes', () => {
    const { wakes, budget } = wakesOf([0, 10, 20, 30, 40]);
    expect(wakes).toEqual([0, 10, 20]);
    expect(spend(budget, 50, figures)).toMatchObject({ kind: 'digest', at: 1_000 });
    expect(spend(budget, 999, figures).kind).toBe('digest');
    expect(spend(budget, 1_000, figures).kind).toBe('wake');
  });

  test('N15 is ten in an hour unless told otherwise', () => {
    expect(defaultBudget).toEqual({ wakes: 10, windowMs: 3_600_000 });
  });

  test('N15 never lets more through in any window, and never lets anybody wait longer than one', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(400), { maxLength: 60 }), (gaps) => {
        let now = 0;
        const { wakes } = wakesOf(gaps.map((gap) => (now += gap)));
        wakes.forEach((at) => {
          expect(wakes.filter((other) => other >= at && other < at + figures.windowMs).length).toBeLessThanOrEqual(3);
        });
      }),
    );
  });

  test('waits one window at most when the clock is set back or forward by a day', () => {
    const day = 86_400_000;
    const { budget } = wakesOf([day, day + 1, day + 2]);
    expect(spend(budget, 5, figures)).toMatchObject({ kind: 'digest', at: 1_005 });
    expect(spend(spend(budget, 5, figures).budget, 1_005, figures).kind).toBe('wake');
    expect(spend(budget, 2 * day, figures).kind).toBe('wake');
  });
});
