import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blank, fold, type Screen, type ScreenEvent } from '../../src/client/screen.js';
import { SessionId, TurnId } from '../../src/contract/ids.js';
import { readEntry, type EntryView } from '../../src/contract/journal.js';
import type { Row } from '../../web/src/conversation/row.js';
import { rowsOf, type Settled } from '../../web/src/conversation/rows.js';

const session = SessionId.parse('ses_0123456789ab');
const turnId = (number: number) => TurnId.parse(`turn_${String(number).padStart(12, '0')}`);
const atSecond = (second: number) => new Date(Date.UTC(2026, 10, 16) + second * 1_000).toISOString();

const entry = (seq: number, body: object, turn = 1): EntryView =>
  readEntry({ seq, session, turn: turnId(turn), at: atSecond(seq), ...body });

const began = (seq: number, turn = 1, by = 'person') =>
  entry(seq, { kind: 'turnBegan', generation: turn, by, model: 'rehearsal' }, turn);
const message = (seq: number, turn = 1) =>
  entry(seq, { kind: 'message', message: 'msg_0123456789ab', text: `m${seq}`, mode: 'queue', from: 'person' }, turn);
const text = (seq: number, words = `t${seq}`, turn = 1) => entry(seq, { kind: 'text', text: words }, turn);
const reasoning = (seq: number, words = `r${seq}`, turn = 1) => entry(seq, { kind: 'reasoning', text: words }, turn);
const call = (seq: number, name: string, turn = 1) =>
  entry(seq, { kind: 'toolCall', call: name, tool: 'terminal', input: { command: 'make' } }, turn);
const result = (seq: number, name: string, turn = 1) =>
  entry(seq, { kind: 'toolResult', call: name, tool: 'terminal', result: `ran ${name}`, failed: false }, turn);
const question = (seq: number, turn = 1) =>
  entry(seq, { kind: 'question', question: 'qst_0123456789ab', text: 'Which?', about: { kind: 'clarify' } }, turn);
const answer = (seq: number, by: 'person' | 'timeout' = 'person', turn = 1) =>
  entry(seq, { kind: 'answer', question: 'qst_0123456789ab', text: 'this', by }, turn);
const ended = (seq: number, turn = 1, reason = 'finished') => entry(seq, { kind: 'turnEnded', reason }, turn);

const shows = (entry: EntryView): ScreenEvent => ({ kind: 'entry', seq: entry.seq, entry });
const delta = (of: 'text' | 'reasoning', words: string, turn = 1): ScreenEvent => ({
  kind: 'live',
  event: { session, turn: turnId(turn), kind: 'delta', of, text: words },
});
const cleared: ScreenEvent = { kind: 'live', event: { session, turn: turnId(1), kind: 'cleared' } };

const play = (events: readonly ScreenEvent[]): Screen => events.reduce(fold, blank(session));
const rowsFrom = (...entries: readonly EntryView[]): readonly Row[] => rowsOf(play(entries.map(shows)), false).rows;
const shape = (rows: readonly Row[]) =>
  rows.map((row) => `${row.kind} ${'text' in row ? row.text : 'state' in row ? row.state.kind : ''}`.trim());

describe('words', () => {
  const opening = [shows(began(1)), shows(message(2))];

  test('L4 keep their key, their place and what they say when they become an entry', () => {
    const before = rowsOf(play([...opening, delta('text', 'Hel'), delta('text', 'lo')]), false).rows;
    const over = rowsOf(play([...opening, delta('text', 'Hello'), cleared]), false).rows;
    const after = rowsOf(play([...opening, delta('text', 'Hello'), cleared, shows(text(3, 'Hello'))]), false).rows;
    expect(shape(before)).toEqual(['message', 'text Hello', 'turn running']);
    expect(shape(over)).toEqual(shape(before));
    expect(shape(after)).toEqual(shape(before));
    expect(over.map(({ key }) => key)).toEqual(before.map(({ key }) => key));
    expect(after.map(({ key }) => key)).toEqual(before.map(({ key }) => key));
  });

  test('L4 keep their keys while the reasoning before them is an entry already', () => {
    const words = [delta('reasoning', 'Hm'), delta('text', 'Yes'), cleared];
    const keys = (...more: readonly ScreenEvent[]) =>
      rowsOf(play([...opening, ...words, ...more]), false).rows.map(({ key }) => key);
    const [first, second] = [shows(reasoning(3, 'Hm')), shows(text(4, 'Yes'))] as const;
    expect(keys(first)).toEqual(keys());
    expect(keys(first, second)).toEqual(keys());
  });

  test('have a key of their own in every step', () => {
    const rows = rowsFrom(began(1), message(2), text(3), text(4), reasoning(5), text(6), call(7, 'a'), text(8));
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  });

  test('T13 are not shown when they say nothing', () => {
    expect(shape(rowsFrom(began(1), entry(2, { kind: 'text', text: 'NOTHING_TO_SAY', silent: true })))).toEqual([
      'turn running',
    ]);
  });
});

describe('a turn', () => {
  test('L4 has its foot from the beginning, which stays where it is when the turn ends', () => {
    const running = rowsFrom(began(1), message(2), text(3));
    const over = rowsFrom(began(1), message(2), text(3), ended(8));
    expect(shape(running)).toEqual(['message', 'text t3', 'turn running']);
    expect(shape(over)).toEqual(['message', 'text t3', 'turn ended']);
    expect(over.at(-1)?.key).toBe(running.at(-1)?.key);
    expect(over.at(-1)).toMatchObject({ state: { reason: 'finished', ms: 7_000 } });
  });

  test('is cut off when another begins that does not go on with it', () => {
    const rows = rowsFrom(began(1), message(2), call(3, 'a'), began(5, 2, 'resume'), text(6, 'on', 2));
    expect(shape(rows)).toEqual(['message', 'tool unknown', 'turn cutOff', 'text on', 'turn running']);
  });

  test('ends what it left open', () => {
    const rows = rowsFrom(began(1), call(2, 'a'), question(3), ended(4, 1, 'stopped'));
    expect(shape(rows)).toEqual(['tool unknown', 'question over', 'turn ended']);
  });
});

describe('a tool call', () => {
  test('is one row with its result', () => {
    const rows = rowsFrom(began(1), call(2, 'a'), call(3, 'b'), result(5, 'b'));
    expect(shape(rows)).toEqual(['tool running', 'tool done', 'turn running']);
    expect(rows[1]).toMatchObject({ state: { result: 'ran b', ms: 2_000 } });
  });

  test('takes its own result where a later step uses the same name for another call', () => {
    const rows = rowsFrom(began(1), call(2, 'a'), result(3, 'a'), call(4, 'a'), result(9, 'a'));
    expect(rows[0]).toMatchObject({ state: { ms: 1_000 } });
    expect(rows[1]).toMatchObject({ state: { ms: 5_000 } });
  });
});

describe('a question', () => {
  test('T11 is open, answered or timed out', () => {
    expect(shape(rowsFrom(began(1), question(2)))).toContain('question open');
    expect(shape(rowsFrom(began(1), question(2), answer(3)))).toContain('question answered');
    expect(shape(rowsFrom(began(1), question(2), answer(3, 'timeout')))).toContain('question timedOut');
  });
});

describe('a page that begins in the middle', () => {
  const whole = [
    began(1),
    message(2),
    reasoning(3),
    text(4),
    call(5, 'a'),
    call(6, 'b'),
    result(7, 'a'),
    result(8, 'b'),
  ];

  test('L2 shows rows that are the same when the rest before them is read', () => {
    const all = rowsFrom(...whole);
    whole.forEach((_, from) => {
      const part = rowsOf({ ...play([]), entries: whole.slice(from), seq: 8 }, from > 0).rows;
      expect(all.map(({ key }) => key)).toEqual(expect.arrayContaining(part.map(({ key }) => key)));
    });
  });
});

describe('any journal', () => {
  const kinds = fc.constantFrom('message', 'text', 'reasoning', 'call', 'result', 'question', 'answer', 'end', 'begin');
  const journal = fc.array(kinds, { maxLength: 40 }).map((drawn) => {
    let turn = 1;
    let last = '';
    return drawn.map((kind, index): EntryView => {
      const seq = index + 2;
      // Nothing comes of a turn that is over.
      if (kind === 'begin' || last === 'end') turn++;
      last = kind;
      const made = {
        message: () => message(seq, turn),
        text: () => text(seq, `t${seq}`, turn),
        reasoning: () => reasoning(seq, `r${seq}`, turn),
        call: () => call(seq, 'a', turn),
        result: () => result(seq, 'a', turn),
        question: () => question(seq, turn),
        answer: () => answer(seq, 'person', turn),
        end: () => ended(seq, turn),
        begin: () => began(seq, turn),
      };
      return made[kind]();
    });
  });

  test('L2 has the same rows in pieces as in one', () => {
    fc.assert(
      fc.property(journal, fc.array(fc.nat(40), { maxLength: 5 }), (entries, cuts) => {
        let settled: Settled | undefined;
        for (const cut of [...cuts.toSorted((a, b) => a - b), entries.length])
          ({ settled } = rowsOf({ ...play([]), entries: entries.slice(0, cut) }, false, settled));
        expect(settled?.rows).toEqual(rowsOf({ ...play([]), entries }, false).settled.rows);
      }),
    );
  });

  test('has no two rows with one key', () => {
    fc.assert(
      fc.property(journal, (entries) => {
        const { rows } = rowsOf({ ...play([]), entries }, false);
        expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
      }),
    );
  });
});
