import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/contract/refusal.js';
import { compileWatch } from '../../src/domain/notice/matcher.js';
import { parsePattern } from '../../src/domain/notice/pattern.js';

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

  test('W1 is a literal when it is a path, and is refused when nobody can tell', () => {
    for (const source of [
      '/tmp/x',
      '/dev/fd',
      '/usr/bin',
      '/api/users',
      '/api/v1/x',
      '/etc/hosts',
      '/home/me/z',
      '/tmp/g',
    ])
      expect(parsePattern(source)).toMatchObject({ kind: 'literal', source });
    for (const source of ['/a/z', '/error/x', '/a/I', '/err(or)?/abc', '/a b/xyz', '/error/gim'])
      expect(why(source)).toMatch(
        /the flag "[a-zA-Z]" is not supported \(only i, m, s and u are\); to match the text literally, write "/,
      );
    expect(why('/a/z')).toContain('write "/\\\\/a\\\\/z/"');
    expect(expression('/\\/a\\/z/')('in /a/z')).toBe(true);
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
    expect(why('/a/g')).toContain('the flag "g" is not supported (only i, m, s and u are)');
    expect(why('/(((a{1,30}){1,30}){1,30})/')).not.toBe('not refused');
    expect(why('/(a?){400}b{400}/')).toContain('too large');
  });

  test('W8 says of what only backtracking can do that it cannot be had', () => {
    for (const source of ['/(a)\\1/', '/a(?=b)/', '/a(?!b)/', '/(?<=a)b/', '/(?<!a)b/', '/(?>a)b/', '/a++/'])
      expect(why(source)).toMatch(/linear time/);
    for (const source of ['/(?<n>a)\\k<n>/', '/a{2}+/', '/(?:a|b)*+/']) expect(why(source)).toMatch(/linear time/);
    for (const source of ['/a**/', '/[*+]+(/', '/\\p{Nonsense}+/']) expect(why(source)).not.toMatch(/linear time/);
  });

  test('W8 knows the long names of scripts and categories, and says of others that it does not', () => {
    expect(expression('/^\\p{Script=Han}+$/')('漢字')).toBe(true);
    expect(expression('/\\p{Script=Han}/')('kanji')).toBe(false);
    expect(expression('/^\\P{sc=Greek}+$/')('αβγ')).toBe(false);
    expect(expression('/[\\p{General_Category=Lu}\\p{gc=Nd}]{3}/')('xA1Bx')).toBe(true);
    expect(expression('/\\\\p{Script=Han}/')('a \\p{Script=Han}')).toBe(true);
    expect(why('/\\p{Script_Extensions=Han}/')).toMatch(/Unicode property that is not supported/);
    expect(why('/\\p{Nonsense}/')).toMatch(/Unicode property that is not supported \(`\\p\{Nonsense\}`\)/);
  });

  test('W8 refuses an escape that it does not know instead of taking it for the letter', () => {
    for (const letter of ['Z', 'h', 'R', 'K', 'G', 'X'])
      expect(why(`/a\\${letter}/`)).toContain(`the escape "\\${letter}"`);
    expect(expression('/^\\$\\.\\/\\-\\x41\\t\\w\\d$/')('$./-A\tb7')).toBe(true);
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
