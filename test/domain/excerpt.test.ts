import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { excerptOf, excerptOfOutput, shortened } from '../../src/domain/output/excerpt.js';
import { redactor } from '../../src/domain/output/redaction.js';

const { redact } = redactor(['correct-horse-battery']);
const limits = { lines: 3, characters: 20 };

describe('an excerpt', () => {
  test('N1 is the whole of a short output, and says so', () => {
    expect(excerptOf('a\n\nb\n\n', limits)).toEqual({ text: 'a\n\nb', cut: false, lines: 3 });
    expect(excerptOf('', limits)).toEqual({ text: '', cut: false, lines: 0 });
    expect(excerptOf('\n \n', limits)).toEqual({ text: '', cut: false, lines: 0 });
  });

  test('N1 is the last lines of a long one, and says that something is missing', () => {
    expect(excerptOf('a\nb\nc\nd\n', limits)).toEqual({ text: 'b\nc\nd', cut: true, lines: 3 });
  });

  test('N1 leaves out whole lines where they are too long together', () => {
    expect(excerptOf('0123456789\n0123456789\n012345678', limits)).toEqual({
      text: '0123456789\n012345678',
      cut: true,
      lines: 2,
    });
  });

  test('N1 is the end of one line that is too long alone, and never half a character', () => {
    expect(excerptOf('x'.repeat(100), limits)).toEqual({ text: 'x'.repeat(20), cut: true, lines: 1 });
    expect(excerptOf(`😀${'x'.repeat(19)}`, limits).text).toBe('x'.repeat(19));
  });

  test('N1 shows nothing of the first line where the text before it is not known', () => {
    expect(excerptOf('half\nwhole\n', limits, true)).toEqual({ text: 'whole', cut: true, lines: 1 });
    expect(excerptOf('half', limits, true)).toEqual({ text: 'half', cut: true, lines: 1 });
  });

  test('N1 has 20 lines and 3,000 characters unless told otherwise', () => {
    expect(excerptOf('a\n'.repeat(50)).lines).toBe(20);
    expect(excerptOf('a'.repeat(5_000)).text).toHaveLength(3_000);
  });

  test('N1 keeps its limits and is always the end of the text', () => {
    const character = fc.constantFrom('a', '\n', ' ', '😀');
    fc.assert(
      fc.property(fc.string({ unit: character }), fc.nat(6), fc.nat(12), (text, lines, characters) => {
        const shown = excerptOf(text, { lines: lines + 1, characters });
        expect(shown.text.length).toBeLessThanOrEqual(characters);
        expect(shown.lines).toBeLessThanOrEqual(lines + 1);
        expect(text.replace(/\n[\n ]*$/, '').endsWith(shown.text)).toBe(true);
        if (!shown.cut) expect(text.startsWith(shown.text)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('P20 a secret in an excerpt', () => {
  const secrets = ['correct-horse-battery', `ghp_${'a1B2'.repeat(8)}`, `password=${'hunter2!'.repeat(3)}`];
  const valueOf = (secret: string) => secret.replace('password=', '');
  const leaks = (text: string, secret: string) =>
    Array.from({ length: valueOf(secret).length - 5 }, (_, at) => valueOf(secret).slice(at, at + 6)).some((piece) =>
      text.includes(piece),
    );

  test.each(secrets)('does not survive, wherever the trim cuts %s', (secret) => {
    for (let characters = 1; characters < 80; characters++) {
      const { text } = excerptOfOutput(`before ${secret} after`, redact, { lines: 20, characters });
      expect(leaks(text, secret)).toBe(false);
    }
  });

  test.each(secrets)('is found where codes and hidden characters split %s', (secret) => {
    const split = `${secret.slice(0, 12)}\u001b[0m${secret.slice(12, 16)}\u200b${secret.slice(16)}`;
    expect(leaks(excerptOfOutput(split, redact).text, secret)).toBe(false);
  });

  test('would survive a trim before the redaction', () => {
    const [secret = ''] = secrets;
    expect(leaks(redact(excerptOf(secret, { lines: 1, characters: 15 }).text), secret)).toBe(true);
  });
});

test('a line in a sentence is cut with an ellipsis, never through a character', () => {
  expect(shortened('abcdef', 6)).toBe('abcdef');
  expect(shortened('abcdefg', 6)).toBe('abcde…');
  expect(shortened('abcd😀fg', 6)).toBe('abcd…');
});
