import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numbered, safeName } from '../../src/domain/session/names.js';

describe('a safe name', () => {
  test.each([
    ['report.pdf', 'report.pdf'],
    ['Bericht für März.pdf', 'Bericht-für-März.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\fakepath\\photo.jpg', 'photo.jpg'],
    ['.bashrc', 'bashrc'],
    ['-rf', 'rf'],
    ['..', 'file'],
    ['', 'file'],
    ['$(reboot).txt', 'reboot-.txt'],
    ['a\u202etxt.exe', 'a-txt.exe'],
    ['line\nbreak\0.md', 'line-break-.md'],
    [`${'x'.repeat(300)}.tar.gz`, `${'x'.repeat(50)}.gz`],
  ])('of %j is %j', (given, safe) => {
    expect(safeName(given)).toBe(safe);
  });

  test('is a plain name, short enough for any disk, and safe already', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
        const safe = safeName(given);
        expect(safe).toMatch(/^[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}._-]*$/u);
        expect(new TextEncoder().encode(numbered(safe, 99_999)).length).toBeLessThan(256);
        expect(safeName(safe)).toBe(safe);
      }),
    );
  });
});

test('gets its number before its ending, from the second on', () => {
  expect([numbered('a.csv', 1), numbered('a.csv', 2), numbered('Makefile', 3)]).toEqual([
    'a.csv',
    'a-2.csv',
    'Makefile-3',
  ]);
});
