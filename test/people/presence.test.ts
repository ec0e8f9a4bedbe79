import { expect, test } from 'vitest';
import { BrowserId } from '../../src/contract/ids.js';
import { Presence } from '../../src/runtime/people/pusher.js';

const [one, other] = [BrowserId.parse('brw_000000000001'), BrowserId.parse('brw_000000000002')];

test('is here as long as one of its views is open', () => {
  const presence = new Presence();
  const [first, second] = [presence.opened(one), presence.opened(one)];
  expect([presence.isHere(one), presence.isHere(other)]).toEqual([true, false]);
  first[Symbol.dispose]();
  expect(presence.isHere(one)).toBe(true);
  second[Symbol.dispose]();
  expect(presence.isHere(one)).toBe(false);
});
