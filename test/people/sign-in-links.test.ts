import { expect, test } from 'vitest';
import { SignInLinks } from '../../src/runtime/people/sign-in.js';
import { FakeClock } from '../agent/fake-clock.js';

const MINUTE = 60_000;

function links() {
  const clock = new FakeClock();
  let made = 0;
  return { clock, links: new SignInLinks(clock, () => `code ${made++}`) };
}

test('are good for 15 minutes', () => {
  const { clock, links: some } = links();
  const [early, late] = [some.issue(), some.issue()];
  clock.advance(15 * MINUTE - 1);
  expect(some.take(early.code)).toBe('taken');
  clock.advance(1);
  expect(some.take(late.code)).toBe('wrong');
  expect(late.expiresAt).toBe(15 * MINUTE);
});

test('are worth nothing any more once all are voided', () => {
  const { links: some } = links();
  const { code } = some.issue();
  some.voidAll();
  expect(some.take(code)).toBe('wrong');
  expect(some.take(some.issue().code)).toBe('taken');
});

test('are a hundred at most: the oldest is good no more', () => {
  const { links: some } = links();
  const all = Array.from({ length: 101 }, () => some.issue().code);
  expect([some.take(all[0] ?? ''), some.take(all[1] ?? ''), some.take(all[100] ?? '')]).toEqual([
    'wrong',
    'taken',
    'taken',
  ]);
});

test('are accepted however many wrong ones were tried before', () => {
  const { links: some } = links();
  const { code } = some.issue();
  for (let tried = 0; tried < 1_000; tried++) expect(some.take(`wrong ${tried}`)).toBe('wrong');
  expect(some.take(code)).toBe('taken');
});
