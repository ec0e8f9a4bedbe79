import { expect, test } from 'vitest';
import { SignInLinks } from '../../src/runtime/sign-in-links.js';
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

test('are good until they are taken where that was asked for, however many others are made', () => {
  const { clock, links: some } = links();
  const lasting = some.issueLasting();
  for (let made = 0; made < 200; made++) some.issue();
  clock.advance(10_000 * MINUTE);
  expect([some.take(lasting), some.take(lasting)]).toEqual(['taken', 'wrong']);
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

test('are not looked at after ten wrong ones in ten seconds, until these are over', () => {
  const { clock, links: some } = links();
  const { code } = some.issue();
  for (let tried = 0; tried < 10; tried++) {
    expect(some.take('wrong')).toBe('wrong');
    clock.advance(100);
  }
  expect(some.take(code)).toBe('too many wrong');
  clock.advance(8_999);
  expect(some.take(code)).toBe('too many wrong');
  clock.advance(1);
  expect(some.take(code)).toBe('taken');
});
