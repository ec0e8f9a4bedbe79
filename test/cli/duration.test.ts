import { expect, test } from 'vitest';
import { duration, parseDuration } from '../../src/cli/duration.js';

test.each([
  ['500ms', 500],
  ['90s', 90_000],
  ['10m', 600_000],
  ['1.5h', 5_400_000],
  ['2d', 172_800_000],
])('reads %s', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(['', '5', '-1s', '0s', 's', '1 s', '1w', 'soon'])('refuses "%s"', (text) => {
  expect(() => parseDuration(text)).toThrow('such as 500ms');
});

test.each([
  [340, '0.3s'],
  [9_949, '9.9s'],
  [9_990, '10s'],
  [59_600, '1m'],
  [250_000, '4m 10s'],
  [3_600_000, '1h'],
  [7_500_000, '2h 5m'],
  [100_000_000, '1d 3h'],
])('writes %d ms', (ms, text) => {
  expect(duration(ms)).toBe(text);
});
