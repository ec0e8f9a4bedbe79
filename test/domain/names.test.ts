import { expect, test } from 'vitest';
import { redactor } from '../../src/domain/output/redaction.js';
import { titleFrom } from '../../src/domain/session/names.js';

const { redact } = redactor(['hush-hush-hush']);
const of = (text: string) => titleFrom(text, redact);

test('is one line of at most 60 characters', () => {
  expect(of('Run the tests\n\n  and\ttell me')).toBe('Run the tests and tell me');
  expect(of('word '.repeat(50))).toHaveLength(60);
  expect(of('word '.repeat(50))).toMatch(/^word .*…$/);
});

test('P20 holds no secret, also one that the cut goes through', () => {
  expect(of('use hush-hush-hush please')).toBe('use [redacted] please');
  expect(of(`${'x'.repeat(50)} hush-hush-hush`)).not.toContain('hush');
});

test('is empty for what cannot be seen', () => {
  expect(of('\u200b\u2060')).toBe('');
});
