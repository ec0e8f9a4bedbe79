import { expect, test } from 'vitest';
import { BrowserId } from '../../src/contract/ids.js';
import {
  DAY_MS,
  isIn,
  isUseWorthNoting,
  MOST_BROWSERS,
  withBrowser,
  withUse,
  type Browser,
} from '../../src/domain/people/sign-in.js';

const browser = (number: number, usedAt: number): Browser => ({
  id: BrowserId.parse(`brw_${String(number).padStart(12, '0')}`),
  digest: `digest ${number}`,
  secure: false,
  signedInAt: 0,
  usedAt,
});

test('is in for 30 days after its last use', () => {
  expect([isIn(browser(1, 5), 30 * DAY_MS + 4), isIn(browser(1, 5), 30 * DAY_MS + 5)]).toEqual([true, false]);
});

test('has its use noted once a day', () => {
  expect([isUseWorthNoting(browser(1, 5), DAY_MS + 4), isUseWorthNoting(browser(1, 5), DAY_MS + 5)]).toEqual([
    false,
    true,
  ]);
});

test('takes the place of the one that was not used for the longest time', () => {
  const full = Array.from({ length: MOST_BROWSERS }, (_, at) => browser(at, 1_000 + at));
  const used = withUse(full, browser(0, 0).id, 5_000);
  const next = withBrowser(used, browser(99, 6_000), 6_000);
  expect(next).toHaveLength(MOST_BROWSERS);
  const ids = next.map(({ id }) => id);
  expect(ids).toContain(browser(0, 0).id);
  expect(ids).toContain(browser(99, 0).id);
  expect(ids).not.toContain(browser(1, 0).id);
});

test('takes the place of all that are out, not only of one', () => {
  const next = withBrowser([browser(1, 0), browser(2, 0), browser(3, DAY_MS)], browser(4, 30 * DAY_MS), 30 * DAY_MS);
  expect(next).toEqual([browser(3, DAY_MS), browser(4, 30 * DAY_MS)]);
});
