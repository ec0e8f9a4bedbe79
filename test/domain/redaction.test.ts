import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactor } from '../../src/domain/output/redaction.js';
import { ORDINARY } from './ordinary-lines.js';
import { NAMED, PRIVATE_KEY, SECRETS } from './secrets.js';

const { redact, spans } = redactor(['correct-horse-battery']);

describe('redaction', () => {
  test.each(SECRETS)('P20 takes the secret out: %s', (_name, line, clean) => {
    expect(redact(line)).toBe(clean);
  });

  test.each(ORDINARY)('P20 leaves an ordinary line as it is: %s', (line) => {
    expect(redact(line)).toBe(line);
  });

  test('P20 is tried on enough of both', () => {
    expect(new Set(SECRETS.map(([, line]) => line)).size).toBeGreaterThanOrEqual(80);
    expect(new Set(ORDINARY).size).toBeGreaterThanOrEqual(120);
  });

  test('P20 takes out the values that it was given', () => {
    expect(redact('token is correct-horse-battery!')).toBe('token is [redacted]!');
  });

  test('P20 takes every secret out of a line, and out of the middle of many lines', () => {
    expect(redact('password=abcdefgh password=ijklmnop')).toBe('password=[redacted] password=[redacted]');
    const all = [...SECRETS.map(([, line]) => line), ...ORDINARY].join('\n');
    const clean = [...SECRETS.map(([, , line]) => line), ...ORDINARY].join('\n');
    expect(redact(all)).toBe(clean);
    expect(spans(all)).toEqual(spans(all));
  });

  test('P20 finds the same in the bytes of a text as in the text', () => {
    const line = `é… ${SECRETS[0]?.[1]} … à password=übung12`;
    const bytes = Buffer.from(line);
    const found = spans(bytes.toString('latin1')).map(({ from, to }) => bytes.toString('utf8', from, to));
    expect(found).toEqual(spans(line).map(({ from, to }) => line.slice(from, to)));
  });
});

describe('a private key', () => {
  const { lines, body } = PRIVATE_KEY;
  const clean = lines.map((line) => (body.includes(line) ? '[redacted]' : line));

  test('P20 goes line by line, and the lines around it stay', () => {
    expect(redact(lines.join('\n'))).toBe(clean.join('\n'));
    expect(redact(lines.join('\r\n'))).toBe(clean.join('\r\n'));
    expect(redact(lines.map((line) => `  ${line}`).join('\n'))).toBe(clean.map((line) => `  ${line}`).join('\n'));
  });

  test('P20 goes where its end or its beginning is missing', () => {
    expect(redact(lines.slice(0, 4).join('\n'))).toBe(clean.slice(0, 4).join('\n'));
    expect(redact(lines.slice(3).join('\n'))).toBe(clean.slice(3).join('\n'));
  });

  test('P20 keeps its headers, and goes behind them', () => {
    const headers = ['Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,0011', ''];
    const encrypted = [...lines.slice(0, 2), ...headers, ...lines.slice(2)];
    expect(redact(encrypted.join('\n'))).toBe([...clean.slice(0, 2), ...headers, ...clean.slice(2)].join('\n'));
  });

  test('P20 takes no ordinary line with it where only its beginning is printed', () => {
    const text = '-----BEGIN RSA PRIVATE KEY-----\ndone\nnext line of the log\nokay\n';
    expect(redact(text)).toBe(text);
  });

  test('P20 does not touch a certificate', () => {
    const text = ['-----BEGIN CERTIFICATE-----', ...body, '-----END CERTIFICATE-----'].join('\n');
    expect(redact(text)).toBe(text);
  });
});

/** Pieces of what the rules look for, in any order: what a generator of random text would never hit upon. */
const PIECES = [
  ...NAMED.flat(),
  ...ORDINARY,
  'password',
  'token',
  'secret',
  '_KEY',
  'api',
  '=',
  ': ',
  ':',
  '"',
  "'",
  '\\',
  ' ',
  '\t',
  '\r',
  '--',
  '-u ',
  'curl ',
  '$',
  '<',
  '>',
  'Cookie: ',
  'Bearer ',
  '://',
  '@',
  '/',
  ';',
  '&',
  'eyJ',
  '.',
  '[redacted]',
  'hunter2',
  'abc123def456',
  'é',
  '\u2028',
];
const line = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''));

describe('whatever the text', () => {
  test('P20 a line is redacted the same whatever stands around it', () => {
    fc.assert(
      fc.property(line, line, (a, b) => {
        expect(redact(`${a}\n${b}`)).toBe(`${redact(a)}\n${redact(b)}`);
      }),
      { numRuns: 3_000 },
    );
  });

  test('P20 there are as many lines as before', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.constantFrom(...PRIVATE_KEY.lines)), { maxLength: 12 }), (lines) => {
        expect(redact(lines.join('\n')).split('\n')).toHaveLength(Math.max(1, lines.length));
      }),
      { numRuns: 1_000 },
    );
  });

  test('P20 redacting twice is redacting once', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.constantFrom(...PRIVATE_KEY.lines)), { maxLength: 6 }), (lines) => {
        const once = redact(lines.join('\n'));
        expect(redact(once)).toBe(once);
      }),
      { numRuns: 3_000 },
    );
  });

  test.each([
    ['a secret inside a value that is none', 'PWD=/home/someone/password=swordfish9'],
    [
      'a long header before a key',
      [PRIVATE_KEY.lines[1], `Note: password=${'x1'.repeat(200)}`, PRIVATE_KEY.lines[2]].join('\n'),
    ],
  ])('P20 redacting twice is redacting once: %s', (_name, text) => {
    const once = redact(text);
    expect(once).not.toBe(text);
    expect(redact(once)).toBe(once);
  });
});

describe('text that is made to be slow', () => {
  const SLOW = [
    'eyJ-',
    'eyJa',
    'eyJa.',
    '-',
    'sk-',
    'sk-a',
    'SG.a',
    'password',
    'password=',
    'password=(',
    'a.',
    '://',
    'x:',
    'a://a:',
  ];
  const SLOWER = [
    'curl ',
    'curl -u ',
    'mysql ',
    'user ',
    '--a-',
    'cookie: a=',
    '-----BEGIN PRIVATE KEY-----',
    'token: ))',
    '<a',
    '&sig=',
  ];

  test.each([
    ...SLOW,
    ...SLOWER,
    'a-----END PRIVATE KEY-----\n',
    'aaaaaaaaaaaaaaaaaaaaaaaa\n',
    'my_',
    '1:',
    '12345678:A',
  ])('P20 a megabyte of %j takes a few seconds at most', { timeout: 60_000 }, (piece) => {
    const text = `${piece.repeat(1_000_000 / piece.length)} password=abcdefgh`;
    const before = process.cpuUsage();
    expect(redact(text)).toContain('[redacted]');
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(5_000);
  });
});
