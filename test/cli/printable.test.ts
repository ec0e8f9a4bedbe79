import { describe, expect, test } from 'vitest';
import { ColouredText, oneLine } from '../../src/cli/print/printable.js';
import { fit } from '../../src/cli/print/table.js';

const passed = (...chunks: string[]) => {
  const text = new ColouredText();
  return chunks.map((chunk) => text.pass(chunk)).join('') + text.finish();
};

describe('text for a terminal', () => {
  test('keeps colours, and ends them', () => {
    expect(passed('\u001b[1;31mred\u001b[0m and \u001b[38:5:9mmore')).toBe(
      '\u001b[1;31mred\u001b[0m and \u001b[38:5:9mmore\u001b[0m',
    );
  });

  test.each([
    ['a title', '\u001b]0;owned\u0007'],
    ['the clipboard', '\u001b]52;c;ZXZpbA==\u001b\\'],
    ['a cursor that moves', '\u001b[2A'],
    ['a cleared screen', '\u001b[2J\u001b[H'],
    ['a question', '\u001b[6n'],
    ['keyboard modes, which look like colours', '\u001b[>4;1m'],
    ['a device control string', '\u001bPq#0\u001b\\'],
    ['a reset', '\u001bc'],
    ['a bell, a backspace, a null', '\u0007\u0008\u0000'],
    ['the codes of one byte', '\u009b2J\u009d0;x\u009c'.replace('2J', '').replace('0;x', '')],
  ])('takes out %s', (_, code) => {
    expect(passed(`before${code}after`)).toBe('beforeafter');
  });

  test('finds a code that is cut anywhere', () => {
    const code = 'a\u001b]52;c;ZXZpbA==\u001b\\b\u001b[31mc\u001b[2Jd';
    for (let at = 1; at < code.length; at++)
      expect(passed(code.slice(0, at), code.slice(at))).toBe('ab\u001b[31mcd\u001b[0m');
  });

  test('does not hold back the output behind a code that never ends', () => {
    expect(passed('\u001b]0;hidden\nshown')).toContain('\nshown');
    expect(passed(`\u001b]0;${'x'.repeat(10_000)}`)).toContain('x'.repeat(5_000));
  });

  test('keeps newlines, tabs and carriage returns', () => {
    expect(passed('10 %\r20 %\r\n\tdone\n')).toBe('10 %\r20 %\r\n\tdone\n');
  });
});

describe('a name in a table', () => {
  test('is one line without codes', () => {
    expect(oneLine(' a\nb\u001b[2Jc\u202etxt ')).toBe('a b [2Jctxt');
  });

  test('is cut by columns, not by characters', () => {
    expect(fit('日本語テキスト', 7)).toBe('日本語…');
    expect(fit('👩‍👩‍👧 family', 4)).toBe('👩‍👩‍👧 …');
    expect(fit('short', 5)).toBe('short');
  });
});
