import { describe, expect, test } from 'vitest';
import { redactor } from '../../src/domain/redaction.js';

const { redact, spans } = redactor(['correct-horse-battery']);
const jwt = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'dozjgNryP4J3jVmNHl0w5N'].join('.');

describe('redaction', () => {
  test.each([
    ['curl -H "Authorization: Bearer abcdef1234567890"', 'curl -H "Authorization: Bearer [redacted]"'],
    ['export OPENAI_API_KEY=sk-abcdefghijklmnopqrstuv', 'export OPENAI_API_KEY=[redacted]'],
    ['postgres://me:hunter2hunter@db/x', 'postgres://me:[redacted]@db/x'],
    ['mysql --password=swordfish1 -u root', 'mysql --password=[redacted] -u root'],
    ['"client_secret": "abcd1234efgh"', '"client_secret": "[redacted]"'],
    ['token is correct-horse-battery!', 'token is [redacted]!'],
    ['id AKIAABCDEFGHIJKLMNOP done', 'id [redacted] done'],
    [`x ${jwt} y`, 'x [redacted] y'],
    ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nrest', '[redacted]\nrest'],
  ])('P20 takes the secret out of %s', (text, clean) => {
    expect(redact(text)).toBe(clean);
  });

  test.each([
    'npm run build',
    'the password is wrong',
    'tokens: 512',
    'http://localhost:3000/a@b',
    'git commit -m "secret santa"',
  ])('P20 leaves ordinary text alone: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  test('P20 finds the same in the same text twice', () => {
    const text = 'password=abcdefgh password=ijklmnop';
    expect(spans(text)).toEqual(spans(text));
    expect(redact(text)).toBe('password=[redacted] password=[redacted]');
  });

  test.each(['eyJ-', 'eyJa', '-', 'sk-', 'password', 'a.', '://', 'x:'])(
    'P20 comes back from a megabyte of %s',
    { timeout: 30_000 },
    (piece) => {
      const text = piece.repeat(1_000_000 / piece.length);
      expect(redact(`${text} password=abcdefgh`)).toContain('[redacted]');
    },
  );

  test('P20 comes back from text that is made to be slow', { timeout: 20_000 }, () => {
    const text = `${'a'.repeat(50_000)}_${'password'.repeat(5_000)}${'-'.repeat(50_000)}://${'x:'.repeat(20_000)}`;
    expect(redact(`${text} password=abcdefgh`)).toContain('[redacted]');
  });
});
