import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { personLine } from '../../src/contract/cause-line.js';
import { completion, disabled, lastMatch, match, message, released, tripped } from '../domain/causes.js';

const anything = fc
  .array(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), { maxLength: 20 })
  .map((characters) => characters.join(''));

describe('the line that a person reads', () => {
  test.each([
    ['make test (proc_00000000000a) ended with exit 3 after 2m 5s', completion()],
    [
      'tests (proc_00000000000a) ended with exit 3 after 2m 5s; 1 match was held back',
      completion({ name: 'tests', heldBack: 1 }),
    ],
    [
      'make test (proc_00000000000a) is lost: the machine was restarted',
      completion({ end: { kind: 'lost', why: 'the machine was restarted' } }),
    ],
    ['./server (proc_00000000000a) printed "listening on": listening on :80', match()],
    [
      './server (proc_00000000000a) printed "listening on": listening on :80; 4 matches were held back',
      match({ heldBack: 4 }),
    ],
    [
      './server (proc_00000000000a) printed "listening on": listening on :80; it ended with exit 3 after 2m 5s; a part of its output could not be searched',
      lastMatch({ unsearched: 0 }),
    ],
    [
      './server (proc_00000000000a) matched too often, so Rouse no longer watches it and reports its end instead; 12 matches were held back',
      disabled,
    ],
    [
      'More than 15 matches of all processes in 10s: they are held back for 30s and then reported; the last one was of proc_00000000000a',
      tripped,
    ],
    ['Matches of all processes are reported again; 1 match was held back', released],
    ['Message from webhook: deployed', message('deployed')],
  ])('N1 says %s', (line, cause) => {
    expect(personLine(cause)).toBe(line);
  });

  test('N1 is short, however long the command', () => {
    expect(personLine(completion({ command: 'x'.repeat(100_000) }))).toBe(
      `${'x'.repeat(79)}… (proc_00000000000a) ended with exit 3 after 2m 5s`,
    );
  });

  test('N10 is one line of visible characters, whatever others wrote', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const causes = [
          completion({ command: text, end: { kind: 'lost', why: text } }),
          completion({ name: text, end: { kind: 'signalled', signal: 'SIGTERM', by: text } }),
          match({ pattern: text, text: `${text}\u202e\u001b[2J\n` }),
          { ...message(text), from: text },
        ];
        for (const cause of causes)
          expect(personLine(cause)).not.toMatch(/\p{Cc}|\p{Cs}|\p{Default_Ignorable_Code_Point}|[\u2028\u2029]/u);
      }),
    );
  });
});
