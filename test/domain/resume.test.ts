import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MessageId, NoticeId, QuestionId, SessionId } from '../../src/contract/ids.js';
import type { Entry, EntryBody } from '../../src/contract/journal.js';
import { leftMs, type Answer, type OpenQuestion } from '../../src/domain/session/open-question.js';
import {
  cutOffCalls,
  defaultResume,
  isUnfinished,
  resume,
  tailOf,
  type Boot,
  type Verdict,
} from '../../src/domain/session/resume.js';

const person: Answer = { by: 'person', text: 'left' };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const now = 100 * HOUR;

const began = (by: 'person' | 'wake' | 'resume'): EntryBody => ({
  kind: 'turnBegan',
  generation: 1,
  by,
  model: 'rehearsal',
});
const message: EntryBody = {
  kind: 'message',
  message: 'm' as MessageId,
  text: 'build it',
  mode: 'queue',
  from: 'person',
};
const wake: EntryBody = {
  kind: 'wake',
  causes: [{ notice: 'n' as NoticeId, kind: 'message', text: 'done', from: 'webhook' }],
};
const call: EntryBody = { kind: 'toolCall', call: 'c1', tool: 'terminal', input: {} };
const result: EntryBody = { kind: 'toolResult', call: 'c1', tool: 'terminal', result: 'ok', failed: false };
const text: EntryBody = { kind: 'text', text: 'Built.' };
const reasoning: EntryBody = { kind: 'reasoning', text: 'hm' };
const ended: EntryBody = { kind: 'turnEnded', reason: 'finished' };
const recovery: EntryBody = { kind: 'note', text: 'The host was restarted.', about: 'recovery' };
const question: EntryBody = {
  kind: 'question',
  question: 'q' as QuestionId,
  text: 'Which?',
  about: { kind: 'clarify' },
  call: 'c2',
};
const clarify: EntryBody = { kind: 'toolCall', call: 'c2', tool: 'clarify', input: {} };
const clarified: EntryBody = { kind: 'toolResult', call: 'c2', tool: 'clarify', result: 'none', failed: false };
const answer = (by: 'person' | 'timeout'): EntryBody => ({
  kind: 'answer',
  question: 'q' as QuestionId,
  text: 'red',
  by,
});

const at = (moment: number, ...bodies: readonly EntryBody[]): Entry[] =>
  bodies.map((body, index) => ({ ...body, seq: index + 1, session: 's' as SessionId, at: moment }));
const fresh = (...bodies: readonly EntryBody[]): Entry[] => at(now - MINUTE, ...bodies);
const decide = (tail: readonly Entry[], boots: readonly Boot[] = []): Verdict => resume(tail, now, boots);

const cases: readonly (readonly [title: string, tail: readonly EntryBody[], kind: Verdict['kind']])[] = [
  ['R1 resumes a message without an answer', [began('person'), message], 'resume'],
  ['R1 resumes an answer that was cut off', [began('person'), message, { ...text, cutOff: 'failed' }], 'resume'],
  ['R1 resumes a turn that had only begun', [began('person')], 'resume'],
  ['R1 resumes a wake without an answer', [began('wake'), wake], 'resume'],
  ['R1 resumes a thought that was never spoken', [began('person'), message, reasoning], 'resume'],
  ['R2 resumes a tool call without its result', [began('person'), message, call], 'resume'],
  ['R2 resumes a tool call beside words', [began('person'), message, text, call], 'resume'],
  ['R2 resumes a result that the agent has not answered', [began('person'), message, call, result], 'resume'],
  ['R2 clears a final answer', [began('person'), message, call, result, text], 'clear'],
  ['R2 clears the final answer of a wake', [began('wake'), wake, text], 'clear'],
  ['R2 clears a turn that ended', [began('person'), message, call, ended], 'clear'],
  ['R4 clears a recovery note alone', [recovery], 'clear'],
  ['R4 clears a resume that has only its note', [began('resume'), recovery], 'clear'],
  ['R4 clears a recovery note behind a final answer', [began('person'), message, text, recovery], 'clear'],
  ['R4 clears nothing at all', [], 'clear'],
  ['R5 lets go of a question that nobody kept', [began('person'), message, clarify, question], 'expired'],
  ['R5 the same beside a call', [began('person'), message, clarify, call, question], 'expired'],
  ['R5 T11 lets go of a time-out', [began('person'), message, clarify, question, answer('timeout')], 'expired'],
  [
    'R5 T11 lets go of a time-out that was told to the agent',
    [began('person'), message, clarify, question, answer('timeout'), clarified],
    'expired',
  ],
  [
    'R5 resumes what the agent went on with after a time-out',
    [began('person'), message, clarify, question, answer('timeout'), clarified, call],
    'resume',
  ],
  [
    'R5 resumes a question that a person answered',
    [began('person'), message, clarify, question, answer('person')],
    'resume',
  ],
  [
    'R1 resumes again what a resume left unfinished',
    [began('person'), message, call, began('resume'), recovery],
    'resume',
  ],
  [
    'R1 suspends what three resumes did not finish',
    [began('person'), message, call, ...Array.from({ length: 3 }, () => [began('resume'), recovery]).flat()],
    'suspend',
  ],
  ['R2 clears what a resume finished', [began('person'), message, call, began('resume'), recovery, text], 'clear'],
];

describe('a restart', () => {
  test.each(cases)('%s', (_title, tail, kind) => {
    expect(decide(fresh(...tail))).toMatchObject({ kind });
  });

  describe('R5 with questions that were kept', () => {
    const asked = (at: number, expiresAt: number, answer?: Answer): OpenQuestion => ({
      question: 'q' as QuestionId,
      call: { id: 'c2', tool: 'clarify', input: {} },
      text: 'Which?',
      about: { kind: 'clarify' },
      at,
      expiresAt,
      ...(answer && { answer }),
    });
    const tail = fresh(began('person'), message, clarify, call, question);
    const kindOf = (...open: OpenQuestion[]) => resume(tail, now, [], defaultResume, open).kind;

    test.each<[string, OpenQuestion[], Verdict['kind']]>([
      ['waits while there is time', [asked(now - HOUR, now + 1)], 'wait'],
      ['is over at its moment', [asked(now - HOUR, now)], 'expired'],
      ['waits when the clock was set back', [asked(now + 24 * HOUR, now + 25 * HOUR)], 'wait'],
      ['waits for one of two', [asked(now - 2, now - 1), asked(now - 1, now + 1)], 'wait'],
      ['goes on for an answer, whatever else is over', [asked(now - 2, now - 1), asked(0, 1, person)], 'wait'],
      ['resumes what a person answered', [asked(now - 2, now - 1, person)], 'resume'],
    ])('%s', (_title, open, kind) => {
      expect(kindOf(...open)).toBe(kind);
    });

    test('gives it no more than its whole time when the clock was set back', () => {
      expect(leftMs(asked(now + 24 * HOUR, now + 25 * HOUR), now)).toBe(HOUR);
      expect(leftMs(asked(now - HOUR, now + HOUR), now)).toBe(HOUR);
      expect(leftMs(asked(now - HOUR, now - 1), now)).toBe(0);
    });

    test('names the calls of the last step that were cut off beside it', () => {
      const before = fresh(began('person'), message, call, result, text, { ...call, call: 'c3' }, clarify, question);
      expect(cutOffCalls(before, [asked(0, 1)]).map(({ call }) => call)).toEqual(['c3']);
    });
  });

  test('R3 suspends work that is three hours old, however fresh the marker', () => {
    const old = [...at(now - 3 * HOUR, began('person'), message, call), ...fresh(began('resume'), recovery)];
    expect(decide(old)).toEqual({
      kind: 'suspend',
      why: 'Not resumed after the restart: its last entry is 3h old, and after 1h work is not resumed automatically. Send a message to continue.',
    });
  });

  test('R3 takes up work that is just within the hour, and not a moment later', () => {
    expect(decide(at(now - HOUR, began('person'), message)).kind).toBe('resume');
    expect(decide(at(now - HOUR - 1, began('person'), message)).kind).toBe('suspend');
  });

  test('R3 counts work of a clock that was set back as fresh', () => {
    expect(decide(at(now + 24 * HOUR, began('person'), message)).kind).toBe('resume');
  });

  test('R3 is never swayed by the time of a mark of ours', () => {
    const marks = new Set<string>(['note', 'compaction', 'reasoning']);
    const isMark = (entry: Entry) => marks.has(entry.kind) || (entry.kind === 'turnBegan' && entry.by === 'resume');
    const bodies = [began('person'), message, call, result, text, recovery, began('resume'), question, reasoning];
    const entries = fc.array(fc.tuple(fc.constantFrom(...bodies), fc.nat(2 * HOUR), fc.nat(5 * HOUR)));
    fc.assert(
      fc.property(entries, (drawn) => {
        const tail = drawn.flatMap(([body, age]) => at(now - age, body));
        const shifted = tail.map((entry, index) =>
          isMark(entry) ? { ...entry, at: now - (drawn[index]?.[2] ?? 0) } : entry,
        );
        expect(decide(shifted)).toEqual(decide(tail));
      }),
      { numRuns: 500 },
    );
  });

  test('R8 suspends after four boots that ended badly within minutes', () => {
    const boots = [9, 7, 4, 2].map((ago) => ({ at: now - ago * MINUTE, clean: false }));
    const tail = fresh(began('person'), message);
    expect(decide(tail, boots)).toMatchObject({ kind: 'suspend' });
    expect(decide(tail, boots).why).toContain('after each of its last 4 starts, the host crashed within 5m');
    expect(decide(tail, boots.slice(1)).kind).toBe('resume');
    expect(decide(tail, boots.with(2, { at: now - 4 * MINUTE, clean: true })).kind).toBe('resume');
    expect(decide(tail, boots.with(0, { at: now - 20 * MINUTE, clean: false })).kind).toBe('resume');
    expect(decide(tail, [{ at: 0, clean: true }, ...boots]).kind).toBe('suspend');
    expect(decide(fresh(began('person'), message, text), boots).kind).toBe('clear');
  });

  test('looks no further back than the last turn that somebody began', () => {
    const journal = fresh(began('person'), message, call, began('wake'), wake, began('resume'), recovery);
    expect(tailOf(journal).map(({ kind }) => kind)).toEqual(['turnBegan', 'wake', 'turnBegan', 'note']);
    expect(tailOf(fresh(recovery))).toHaveLength(1);
  });

  test('R1 says in one line what it resumes', () => {
    expect(decide(fresh(began('person'), message, call)).why).toBe(
      'Resumed after a restart: a call of terminal had no result.',
    );
    expect(defaultResume).toEqual({ freshMs: HOUR, tries: 3, boots: { count: 4, withinMs: 5 * MINUTE } });
  });
});

describe('what a person asks to resume', () => {
  const end = (reason: 'failed' | 'stopped' | 'finished'): EntryBody => ({ kind: 'turnEnded', reason });
  const moved: EntryBody = { kind: 'note', text: 'The session was begun anew.', about: 'moved' };
  const said = [began('person'), message];

  test.each<readonly [string, readonly EntryBody[], boolean]>([
    ['T10 is the message of a turn that failed', [...said, end('failed')], true],
    ['T10 is a wake whose turn failed', [began('wake'), wake, end('failed')], true],
    ['T10 is an answer that broke off', [...said, { ...text, cutOff: 'failed' }, end('failed')], true],
    ['T10 is the same after a resume that failed too', [...said, end('failed'), began('resume'), end('failed')], true],
    ['R1 is what a restart did not take up', said, true],
    ['is not what a resume has answered', [...said, end('failed'), began('resume'), text, end('finished')], false],
    ['is not what a person stopped', [...said, end('stopped')], false],
    ['R5 is not a question that timed out', [...said, clarify, question, answer('timeout')], false],
    ['N8 is not what a reset put behind', [...said, end('failed'), moved], false],
    ['is nothing in an empty journal', [], false],
  ])('%s', (_, tail, unfinished) => {
    expect(isUnfinished(fresh(...tail))).toBe(unfinished);
  });
});
