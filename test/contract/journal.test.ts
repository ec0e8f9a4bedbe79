import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EntryBody, EntryView, readBody, readEntry } from '../../src/contract/journal.js';

const head = { seq: 7, session: 'ses_000000000001', turn: 'turn_000000000001', at: '2026-01-02T03:04:05.000Z' };

const known: readonly unknown[] = [
  { kind: 'message', message: 'msg_000000000001', text: 'hello', mode: 'steer', from: 'person' },
  { kind: 'text', text: 'yes' },
  { kind: 'reasoning', text: 'hm' },
  { kind: 'toolCall', call: 'c1', tool: 'terminal', input: { command: 'ls' } },
  { kind: 'toolResult', call: 'c1', tool: 'terminal', result: 'a', failed: false, process: 'proc_000000000001' },
  { kind: 'wake', causes: [{ notice: 'ntc_000000000001', kind: 'message', text: 'done', from: 'webhook' }] },
  { kind: 'turnBegan', generation: 3, by: 'wake', model: 'rehearsal' },
  { kind: 'turnEnded', reason: 'failed', why: 'no credit', usage: { inputTokens: 1, outputTokens: 2, costUsd: 0.1 } },
  {
    kind: 'question',
    question: 'qst_000000000001',
    text: 'Run it?',
    choices: ['yes', 'no'],
    about: { kind: 'approval', command: 'mkfs', cwd: '/', place: 'local' },
    call: 'c2',
    expiresAt: 5,
  },
  { kind: 'answer', question: 'qst_000000000001', text: 'no', by: 'person' },
  { kind: 'note', text: 'resumed after a restart', about: 'resumed' },
  { kind: 'compaction', upTo: 40, summary: 'we built it' },
];

/** Nearly an entry, with anything where its kind and its text should be. */
const oddly = fc.record({ kind: fc.anything({ withNullPrototype: true }), text: fc.anything() });

describe('a journal', () => {
  test('reads every kind of entry as it was written, from the store and from the wire', () => {
    for (const body of known) {
      expect(readBody(body)).toEqual(body);
      expect(readEntry({ ...head, ...(body as object) })).toEqual({ ...head, ...(body as object) });
      expect(EntryView.parse({ ...head, ...(body as object) })).toEqual({ ...head, ...(body as object) });
    }
    expect(known).toHaveLength(EntryBody.options.length);
  });

  test('shows a kind that it does not know as a plain note and keeps it whole', () => {
    const vote = { kind: 'vote', ballots: [1, 2] };
    expect(readBody(vote)).toEqual({
      kind: 'note',
      about: 'unfamiliar',
      text: 'An entry (vote) that this version of Rouse cannot show.',
      original: vote,
    });
    expect(readEntry({ ...head, ...vote })).toMatchObject({ ...head, kind: 'note', about: 'unfamiliar' });
  });

  test('shows the text of a known kind in a shape that it does not know', () => {
    const note = { kind: 'note', about: 'weather', text: 'It rains.' };
    expect(readBody(note)).toEqual({ kind: 'note', about: 'unfamiliar', text: 'It rains.', original: note });
  });

  test('reads anything at all', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything({ withNullPrototype: true, withMap: true }), oddly), (written) => {
        expect(EntryBody.safeParse(readBody(written)).success).toBe(true);
      }),
    );
  });
});
