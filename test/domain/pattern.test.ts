import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/contract/refusal.js';
import { compileWatch } from '../../src/domain/matcher.js';
import { parsePattern } from '../../src/domain/pattern.js';

function expression(source: string): (text: string) => boolean {
  const pattern = parsePattern(source);
  if (isRefusal(pattern) || pattern.kind !== 'expression') throw new Error(`not an expression: ${source}`);
  return pattern.test;
}

const why = (source: string): string => {
  const outcome = parsePattern(source);
  return isRefusal(outcome) ? outcome.why : 'not refused';
};

describe('a watch pattern', () => {
  test('W1 is a literal, whatever it holds, unless it stands between slashes', () => {
    for (const source of ['ERROR', 'a.*b', '(', '/usr/bin', '/', '//', '/tmp/x.log', 'a/b/i'])
      expect(parsePattern(source)).toMatchObject({ kind: 'literal', source });
  });

  test('W8 is an expression between slashes, with the flags i, m, s and u', () => {
    expect(expression('/ERR(OR)?: \\d+/')('an ERROR: 17')).toBe(true);
    expect(expression('/ERR(OR)?: \\d+/')('an error: 17')).toBe(false);
    expect(expression('/error/i')('an ERROR')).toBe(true);
    expect(expression('/^a.b$/msu')('a\u{1f600}b')).toBe(true);
    expect(expression('/a\\/b/')('a/b')).toBe(true);
    expect(expression('/\\u0041+/')('xAAx')).toBe(true);
  });

  test('W8 names the pattern and the reason when it refuses an expression', () => {
    expect(why('/a(b/')).toMatch(/"\/a\(b\/".*missing closing \)/);
    expect(why('/[z-a]/')).toMatch(/"\/\[z-a\]\/".*invalid character class range/);
    expect(why('/a/g')).toContain('the flag "g" is not one of i, m, s and u');
    expect(why('/(((a{1,30}){1,30}){1,30})/')).not.toBe('not refused');
    expect(why('/(a?){400}b{400}/')).toContain('too large');
  });

  test('W8 says of what only backtracking can do that it cannot be had', () => {
    for (const source of ['/(a)\\1/', '/a(?=b)/', '/a(?!b)/', '/(?<=a)b/', '/(?<!a)b/', '/(?>a)b/', '/a++/'])
      expect(why(source)).toMatch(/linear time/);
    expect(why('/a**/')).not.toMatch(/linear time/);
  });

  test('W8 answers (a+)+$ over a megabyte of a, for which a backtracking engine would never come back', () => {
    const long = 'a'.repeat(1_048_576);
    expect(expression('/(a+)+$/')(`${long}b`)).toBe(false);
    expect(expression('/(a+)+$/')(long)).toBe(true);
    expect(expression('/^(a|aa)+$/')(`${long}b`)).toBe(false);
  });

  test('refuses what is empty, what breaks lines, and what is too much', () => {
    expect(why('')).toContain('empty');
    expect(why('a\nb')).toContain('line break');
    expect(compileWatch(['ok', ''])).toMatchObject({ refused: 'invalid' });
    expect(compileWatch(Array.from({ length: 17 }, () => 'x'.repeat(1_000)))).toMatchObject({ refused: 'invalid' });
  });
});
