import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printable, readable, stripAnsi, unfinishedCharacter } from '../../src/domain/output/text.js';

describe('text', () => {
  test.each([
    ['abc', 0],
    ['€', 0],
    ['😀', 0],
    ['é', 0],
  ])('P4 sees that %s is whole', (text, cut) => {
    expect(unfinishedCharacter(new TextEncoder().encode(text))).toBe(cut);
  });

  test('P4 sees how much of a character has come', () => {
    const face = new TextEncoder().encode('😀');
    expect([1, 2, 3].map((length) => unfinishedCharacter(face.subarray(0, length)))).toEqual([1, 2, 3]);
    expect(unfinishedCharacter(Uint8Array.of(0x80, 0x80))).toBe(0);
  });

  test('strips colours, titles, links and the clipboard', () => {
    const text =
      '\u001b[1;31mred\u001b[0m \u001b]0;title\u0007\u001b]52;c;ZXZpbA==\u0007\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\';
    expect(stripAnsi(text)).toBe('red link');
  });

  test('keeps what a redrawn line shows in the end', () => {
    expect(stripAnsi('10%\r50%\r100%\ndone\r\n')).toBe('100%\ndone\n');
  });

  test('makes one harmless line of a name', () => {
    expect(printable('a\nb\u001b[2Jc\u202e\u200bd')).toBe('a b [2Jcd');
  });
});

describe('readable output', () => {
  test.each([
    ['a string that never ends', '\u001b]0;not\nhidden', '0;not\nhidden'],
    ['a device string that never ends', '\u001bPnot\nhidden', 'not\nhidden'],
    ['a code that a hidden character splits', '\u001b\u200b[31mred', 'red'],
    ['a lone code of one byte', 'a\u009bb', 'a'],
    ['every way to end a line', 'a\u2028b\u2029c\u0085d\ve\ff\r\ng', 'a\nb\nc\nd\ne\nf\ng'],
    ['a line that was drawn again', '10%\r99%\rdone\r', 'done'],
    ['half a character', 'a\ud83db', 'a\ufffdb'],
    ['halves that would make a tag', 'a\udb40\u0000\udc41b', 'a\ufffd\ufffdb'],
    ['tabs and other scripts', '\tмир 世界 😀', '\tмир 世界 😀'],
  ])('N10 copes with %s', (_, text, shown) => {
    expect(readable(text)).toBe(shown);
  });

  test('N10 holds nothing but visible characters, tabs and newlines, and stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: hostile, maxLength: 60 }), (text) => {
        const shown = readable(text);
        expect(shown).not.toMatch(/(?![\t\n])\p{Cc}|\p{Cs}|\p{Default_Ignorable_Code_Point}|[\u2028\u2029]/u);
        expect(readable(shown)).toBe(shown);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Ordinary characters, and those that hide, move, split or end things. */
const hostile = fc.oneof(
  fc.constantFrom('a', '[', ']', 'P', '\\', '\n', '\r', '\t', '\u001b', '\u009b', '\u0007', '\u0000', '\u2028'),
  fc.constantFrom('\u200b', '\u202e', '\u{e0041}', '\udb40', '\udc41', '\ufe0f', '0', ';', 'm'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
