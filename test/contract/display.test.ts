import { describe, expect, test } from 'vitest';
import type { End } from '../../src/contract/process.js';
import { durationInWords, endInWords, printable, unhidden } from '../../src/contract/display.js';

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
  expect(durationInWords(ms)).toBe(text);
});

test.each<[End, string]>([
  [{ kind: 'exited', code: 3 }, 'exit 3'],
  [{ kind: 'signalled', signal: 'SIGSEGV' }, 'SIGSEGV'],
  [{ kind: 'signalled', signal: 'SIGKILL', by: 'limit of 5000 ms' }, 'SIGKILL by limit of 5000 ms'],
  [{ kind: 'signalled', signal: 'SIGTERM', by: 'ann\n\u202eexit 0' }, 'SIGTERM by ann exit 0'],
  [{ kind: 'lost', why: 'the machine was restarted' }, 'lost: the machine was restarted'],
])('N1 says how it ended: %j', (end, words) => {
  expect(endInWords(end)).toBe(words);
});

describe('one line of what others wrote', () => {
  test.each([
    ['a newline, a tab and a bell', '\n\t\u0007'],
    ['a line separator', '\u2028'],
    ['a paragraph separator', '\u2029'],
    ['the next line of one byte', '\u0085'],
  ])('has a space for %s', (_, character) => {
    expect(printable(`a${character}b`)).toBe('a b');
  });

  test.each([
    ['a zero-width space', '\u200b'],
    ['a text that runs backwards', '\u202e\u2066\u061c'],
    ['a byte order mark', '\ufeff'],
    ['tags', '\u{e0041}\u{e007f}'],
    ['variation selectors, which can carry any text', '\ufe0f\u{e0100}'],
    ['fillers', '\u3164\u115f\uffa0'],
    ['interlinear notes', '\ufff9\ufffb'],
  ])('leaves out %s', (_, character) => {
    expect(printable(`a${character}b`)).toBe('ab');
  });

  test('does not make a tag of two halves', () => {
    expect(printable('\udb40\u200b\udc41')).toBe('\ufffd\ufffd');
  });
});

describe('text that a person approves', () => {
  test.each([
    ['lines\n\tand tabs stay', 'lines\n\tand tabs stay'],
    ['grüße 你好 👍 — “quoted”', 'grüße 你好 👍 — “quoted”'],
    ['a\u202eb\u2066c', 'a‹U+202E›b‹U+2066›c'],
    ['zero\u200bwidth\ufeff', 'zero‹U+200B›width‹U+FEFF›'],
    ['rm\u00a0-rf\u3000/', 'rm‹U+00A0›-rf‹U+3000›/'],
    ['over\rwritten\u001b[2K', 'over‹U+000D›written‹U+001B›[2K'],
    ['tag\u{e0041}\ud800', 'tag‹U+E0041›‹U+D800›'],
    ['two\u2028lines', 'two‹U+2028›lines'],
  ])('P20 is shown as it is, and what hides in it by its number: %j', (text, shown) => {
    expect(unhidden(text)).toBe(shown);
  });
});
