import { expect, test } from 'vitest';
import { parseDuration } from '../../src/cli/print/parse.js';

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
