import { describe, expect, test } from 'vitest';
import type { MessageId, SessionId } from '../../src/contract/ids.js';
import type { Entry, EntryBody } from '../../src/contract/journal.js';
import { compactionPlan, needsCompaction, tokensOf, tokensOfAll } from '../../src/domain/session/compaction.js';
import { transcript } from '../../src/domain/session/transcript.js';

const began: EntryBody = { kind: 'turnBegan', generation: 1, by: 'person', model: 'rehearsal' };
const resumed: EntryBody = { ...began, by: 'resume' };
const ended: EntryBody = { kind: 'turnEnded', reason: 'finished' };
const says: EntryBody = { kind: 'message', message: 'm' as MessageId, text: 'go', mode: 'queue', from: 'person' };
const text = (tokens: number): EntryBody => ({ kind: 'text', text: 'x'.repeat(tokens * 4) });
const call: EntryBody = { kind: 'toolCall', call: 'a', tool: 'terminal', input: {} };
const result = (tokens: number): EntryBody => ({
  kind: 'toolResult',
  call: 'a',
  tool: 'terminal',
  result: 'x'.repeat(tokens * 4),
  failed: false,
});
const turn = (tokens: number): EntryBody[] => [began, says, text(tokens), ended];

const journal = (...bodies: readonly EntryBody[]): Entry[] =>
  bodies.map((body, index) => ({ ...body, seq: index + 1, session: 's' as SessionId, at: index }));

describe('compaction', () => {
  test('counts four letters as a token, and fewer signs of other scripts', () => {
    expect(tokensOf('')).toBe(0);
    expect(tokensOf('12345')).toBe(2);
    expect(tokensOf('the quick brown fox jumps over the lazy dog')).toBeGreaterThan(7);
    expect(tokensOf('素早い茶色の狐')).toBeGreaterThan(3);
    expect(tokensOfAll([{ role: 'person', text: '12345678' }])).toBe(6);
  });

  test('is needed when three quarters of the window are full', () => {
    const messages = transcript(journal(says, text(741)));
    expect(needsCompaction(messages, 1_000)).toBe(true);
    expect(needsCompaction(messages, 1_020)).toBe(false);
  });

  test('keeps the last three turns whole', () => {
    const entries = journal(...Array.from({ length: 10 }, () => turn(10)).flat());
    const plan = compactionPlan(entries, 1_000);
    expect(plan?.upTo).toBe(28);
    expect(plan?.fold).toHaveLength(28);
  });

  test('keeps fewer where three take more than half of the window, and counts a resume to its turn', () => {
    const entries = journal(...turn(10), ...turn(400), ...turn(400), began, says, resumed, text(50), ended);
    expect(compactionPlan(entries, 1_000)?.upTo).toBe(8);
    expect(compactionPlan(entries, 400)?.upTo).toBe(12);
    expect(compactionPlan(entries, 10_000, 2)?.upTo).toBe(8);
  });

  test('takes a message that stands before its turn along with it', () => {
    const entries = journal(...turn(10), says, began, text(10), ended);
    expect(compactionPlan(entries, 1_000, 1)?.upTo).toBe(4);
  });

  test('folds a turn that is too long between two steps, never between a call and its result', () => {
    const entries = journal(began, says, call, result(300), call, call, result(300), result(10), call, result(50));
    const plan = compactionPlan(entries, 500);
    expect(plan?.upTo).toBe(8);
    expect(transcript(plan?.fold ?? []).at(-1)).toMatchObject({ role: 'tool' });
  });

  test('folds a compaction that came before into the next', () => {
    const first: EntryBody = { kind: 'compaction', upTo: 4, summary: 'we began' };
    const entries = journal(...turn(10), ...turn(10), first, ...turn(10), ...turn(10), ...turn(10));
    const plan = compactionPlan(entries, 1_000, 2);
    expect(plan?.upTo).toBe(13);
    expect(plan?.fold.map(({ seq }) => seq)).toEqual([9, 5, 6, 7, 8, 10, 11, 12, 13]);
    const after = transcript([...entries, ...journal({ kind: 'compaction', upTo: 13, summary: 'more' })]);
    expect(after).toHaveLength(5);
  });

  test('has nothing to fold in a short session', () => {
    expect(compactionPlan([], 1_000)).toBeUndefined();
    expect(compactionPlan(journal(...turn(10)), 1_000)).toBeUndefined();
    const folded: EntryBody = { kind: 'compaction', upTo: 0, summary: 'all' };
    expect(compactionPlan(journal(folded, ...turn(10)), 1_000)).toBeUndefined();
  });
});
