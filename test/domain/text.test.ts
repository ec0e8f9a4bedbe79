import { describe, expect, test } from 'vitest';
import { printable, stripAnsi, unfinishedCharacter } from '../../src/domain/text.js';

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
