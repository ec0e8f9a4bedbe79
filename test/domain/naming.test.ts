import { describe, expect, test } from 'vitest';
import { ProcessId } from '../../src/contract/ids.js';
import { admitStart, outlived } from '../../src/domain/process/limits.js';
import { meant, PROCESS } from '../../src/domain/process/naming.js';

const id = (text: string) => ProcessId.parse(`proc_${text.padEnd(12, '0')}`);

describe('naming', () => {
  const known = [id('abc1'), id('abc2'), id('xyz')];

  test('P19 finds a process by any unambiguous beginning, with or without the prefix', () => {
    expect(meant('xy', PROCESS, known)).toBe(id('xyz'));
    expect(meant('proc_abc1', PROCESS, known)).toBe(id('abc1'));
  });

  test('P19 refuses an ambiguous beginning with the candidates', () => {
    expect(meant('abc', PROCESS, known)).toMatchObject({ refused: 'ambiguous', candidates: [id('abc1'), id('abc2')] });
  });

  test('P19 says that there is none, without echoing what would move a cursor', () => {
    expect(meant('\u001b[2Jno', PROCESS, known)).toMatchObject({
      refused: 'not-found',
      why: expect.stringContaining('"[2Jno"'),
    });
  });
});

describe('limits', () => {
  test('P18 refuses one more than the host or the session may have', () => {
    const limits = { processes: 3, processesPerSession: 2 };
    const session = 'ses_000000000000' as never;
    expect(admitStart(limits, [{}, {}], undefined)).toBeUndefined();
    expect(admitStart(limits, [{}, {}, {}], undefined)).toMatchObject({ refused: 'limit-reached' });
    expect(admitStart(limits, [{ session }, { session }], session)).toMatchObject({ refused: 'limit-reached' });
    expect(admitStart(limits, [{ session }, { session }], undefined)).toBeUndefined();
  });
});

describe('retention', () => {
  const day = 86_400_000;

  test('forgets the oldest beyond the count, and whatever is older than the days', () => {
    const ended = [1, 2, 3, 9].map((days) => ({ id: id(String(days)), endedAt: 100 * day - days * day }));
    expect(outlived(ended, { days: 7, count: 2 }, 100 * day)).toEqual([id('3'), id('9')]);
    expect(outlived(ended, { days: 7, count: 10 }, 100 * day)).toEqual([id('9')]);
  });
});
