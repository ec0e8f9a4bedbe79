import { describe, expect, test } from 'vitest';
import { safeText, plainOutput } from '../../web/src/look/safe-text.js';

describe('text of others', () => {
  test('names what turns the direction, where it stood', () => {
    expect(safeText('user\u202Etxt.exe\u202C and \u2066x\u2069')).toBe(
      'user‹U+202E›txt.exe‹U+202C› and ‹U+2066›x‹U+2069›',
    );
  });

  test('loses what is not seen', () => {
    expect(safeText('pass\u200bword \u{e0041}\u{e0042}\u00ad\ufeff!')).toBe('password !');
  });

  test('keeps the pictures and the words that are made with joiners', () => {
    const written = '👩\u200d👩\u200d👧 ❤\ufe0f 👍🏽 می\u200cخواهم';
    expect(safeText(written)).toBe(written);
    expect(safeText('ad\u200dmin')).toBe('admin');
  });

  test('keeps its lines and tabs, and no other control', () => {
    expect(safeText('a\r\nb\rc\u2028d\te\u0000\u0007\u009b')).toBe('a\nb\nc\nd\te');
  });

  test('has no half of a character', () => {
    expect(safeText('a\ud83db')).toBe('a\ufffdb');
  });
});

describe('output', () => {
  test('W7 has no terminal codes', () => {
    const codes =
      '\u001b[31mred\u001b[0m \u001b]0;title\u0007\u001b]8;;https://x.y\u001b\\link\u001b]8;;\u001b\\ \u001b[2K\u001b(Bend';
    expect(plainOutput(codes)).toBe('red link end');
  });

  test('shows a line that was written over as it was left', () => {
    expect(plainOutput('10%\r50%\r100%\r\ndone\r\n')).toBe('100%\ndone\n');
  });
});
