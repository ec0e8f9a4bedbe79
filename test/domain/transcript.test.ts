import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MessageId, NoticeId, QuestionId, SessionId } from '../../src/contract/ids.js';
import type { Entry, EntryBody } from '../../src/contract/journal.js';
import { type PromptMessage, transcript } from '../../src/domain/session/transcript.js';

const began = (by: 'person' | 'wake' | 'resume' = 'person'): EntryBody => ({
  kind: 'turnBegan',
  generation: 1,
  by,
  model: 'rehearsal',
});
const ended: EntryBody = { kind: 'turnEnded', reason: 'finished' };
const says = (text: string): EntryBody => ({
  kind: 'message',
  message: 'm' as MessageId,
  text,
  mode: 'queue',
  from: 'person',
});
const text = (words: string): EntryBody => ({ kind: 'text', text: words });
const reasoning = (words: string): EntryBody => ({ kind: 'reasoning', text: words });
const call = (id: string, tool = 'terminal'): EntryBody => ({ kind: 'toolCall', call: id, tool, input: { id } });
const result = (id: string, words = `result of ${id}`): EntryBody => ({
  kind: 'toolResult',
  call: id,
  tool: 'terminal',
  result: words,
  failed: false,
});
const note: EntryBody = { kind: 'note', text: 'resumed after a restart', about: 'resumed' };
const question = (about: 'clarify' | 'approval', of?: string): EntryBody => ({
  kind: 'question',
  question: 'q' as QuestionId,
  text: 'Which?',
  about: about === 'clarify' ? { kind: 'clarify' } : { kind: 'approval', command: 'x', cwd: '/', place: 'local' },
  ...(of && { call: of }),
});
const answer = (by: 'person' | 'timeout', words = 'red'): EntryBody => ({
  kind: 'answer',
  question: 'q' as QuestionId,
  text: words,
  by,
});
const wake: EntryBody = {
  kind: 'wake',
  causes: [{ notice: 'ntc_1' as NoticeId, kind: 'message', text: 'deployed', from: 'webhook' }],
};

const journal = (...bodies: readonly EntryBody[]): Entry[] =>
  bodies.map((body, index) => ({ ...body, seq: index + 1, session: 's' as SessionId, at: index }));
const shown = (...bodies: readonly EntryBody[]): readonly PromptMessage[] => transcript(journal(...bodies));

/** In one word each: who speaks, and what. */
const brief = (messages: readonly PromptMessage[]): string[] =>
  messages.map((message) => {
    switch (message.role) {
      case 'agent':
        return `agent ${message.text}[${message.calls.map(({ id }) => id).join()}]`;
      case 'tool':
        return `tool ${message.call}: ${message.result}${message.failed ? ' !' : ''}`;
      case 'system':
      case 'person':
      case 'notice':
        return `${message.role} ${message.text}`;
    }
  });

describe('an answer that was cut off', () => {
  const cut = (words: string, by: 'stopped' | 'interrupted' | 'failed'): EntryBody => ({
    kind: 'text',
    text: words,
    cutOff: by,
  });
  const end = (reason: 'stopped' | 'interrupted' | 'failed'): EntryBody => ({ kind: 'turnEnded', reason });
  const told = (...bodies: readonly EntryBody[]) =>
    brief(shown(...bodies)).map((line) => line.replace(/^notice .* here: (.*?)(?:\.|,| with) .*$/, 'notice $1'));

  test.each([
    ['stopped', 'a person stopped you at this point'],
    ['interrupted', 'a person interrupted you at this point'],
    ['failed', 'the model failed at this point'],
  ] as const)('T5 that was %s stands without blanks at its end, and a note says why it ends', (reason, words) => {
    const bodies = [began(), says('go'), reasoning('hm'), cut('It is \n', reason), end(reason), began(), says('next')];
    expect(told(...bodies)).toEqual(['person go', 'agent It is[]', `notice ${words}`, 'person next']);
    expect(shown(...bodies)).not.toContainEqual(expect.objectContaining({ reasoning: 'hm' }));
  });

  test('T5 a stop is told also where nothing was said, or a call was cut off', () => {
    const stopped = 'notice a person stopped you at this point';
    expect(told(began(), says('go'), end('stopped'), began(), says('next'))).toEqual([
      'person go',
      stopped,
      'person next',
    ]);
    const during = told(began(), says('go'), call('b'), end('stopped'));
    expect(during.slice(0, 2)).toEqual(['person go', 'agent [b]']);
    expect(during[2]).toMatch(/^tool b: This call was cut off/);
    expect(during.slice(3)).toEqual([stopped]);
  });

  test('T10 a turn that failed without a word is told nowhere: its message is simply unanswered', () => {
    expect(told(began(), says('go'), end('failed'), began('resume'))).toEqual(['person go']);
  });

  test('T10 what a resume adds is an answer of its own, behind the note', () => {
    expect(told(began(), says('go'), cut('It ', 'failed'), end('failed'), began('resume'), text('is.'), ended)).toEqual(
      ['person go', 'agent It[]', 'notice the model failed at this point', 'agent is.[]'],
    );
  });
});

describe('what the agent is shown', () => {
  test('a thought with its calls, their results in the order of the calls, and no notes', () => {
    const messages = shown(
      began(),
      says('go'),
      reasoning('hm'),
      text('I will.'),
      call('a'),
      call('b'),
      result('b'),
      result('a'),
      note,
      text('Done.'),
      ended,
    );
    expect(brief(messages)).toEqual([
      'person go',
      'agent I will.[a,b]',
      'tool a: result of a',
      'tool b: result of b',
      'agent Done.[]',
    ]);
    expect(messages[1]).toMatchObject({
      reasoning: 'hm',
      calls: [{ id: 'a', tool: 'terminal', input: { id: 'a' } }, {}],
    });
  });

  test('T8 steering behind the results of the step, wherever it was written down', () => {
    expect(brief(shown(began(), says('go'), call('a'), says('faster'), result('a'), text('ok')))).toEqual([
      'person go',
      'agent [a]',
      'tool a: result of a',
      'person faster',
      'agent ok[]',
    ]);
  });

  test('R1 a call that was cut off with a result that says so', () => {
    const messages = shown(began(), says('go'), call('a'), call('b'), result('a'), began('resume'), note, call('a'));
    expect(brief(messages).map((line) => line.slice(0, 25))).toEqual([
      'person go',
      'agent [a,b]',
      'tool a: result of a',
      'tool b: This call was cut',
      'agent [a]',
      'tool a: This call was cut',
    ]);
  });

  test('R1 a call of a resumed turn as a thought of its own', () => {
    const lines = brief(shown(began(), says('go'), call('a'), began('resume'), call('b'), result('b')));
    expect(lines.filter((line) => line.startsWith('agent'))).toEqual(['agent [a]', 'agent [b]']);
  });

  test('R1 a result that was found after the restart', () => {
    expect(brief(shown(began(), says('go'), call('a'), began('resume'), note, result('a'), text('ok')))).toEqual([
      'person go',
      'agent [a]',
      'tool a: result of a',
      'agent ok[]',
    ]);
  });

  test('T11 R5 an answer as the result of the call that asked, and silence as silence', () => {
    const asked = [began(), says('go'), call('c', 'clarify'), question('clarify', 'c')];
    expect(brief(shown(...asked, answer('person')))[2]).toBe('tool c: red');
    expect(brief(shown(...asked, answer('timeout', '')))[2]).toBe('tool c: No person answered the question.');
    expect(brief(shown(...asked, ended, began(), says('next'))).slice(2)).toEqual([
      'tool c: No person answered the question.',
      'person next',
    ]);
  });

  test('T11 a command that nobody approved as not run', () => {
    const asked = [began(), says('go'), call('a'), question('approval', 'a')];
    expect(brief(shown(...asked, answer('timeout', '')))[2]).toBe('tool a: Not run: it was not approved. !');
    expect(brief(shown(...asked, answer('person', 'yes')))[2]).toMatch(/^tool a: This call was cut off/);
    expect(brief(shown(...asked, answer('person', 'yes'), result('a')))[2]).toBe('tool a: result of a');
  });

  test('N10 a wake as a notice, never as a person', () => {
    const [message] = shown(began('wake'), wake);
    expect(message).toMatchObject({ role: 'notice', causes: [{ kind: 'message' }] });
    expect(brief(shown(wake))[0]).toContain('No person spoke');
    expect(message).not.toHaveProperty('midTurn');
    expect(shown({ ...wake, midTurn: true })[0]).toMatchObject({ midTurn: true });
    expect(brief(shown({ ...wake, heldBack: 7 }))[0]).toMatch(/^notice A digest: 7 notices waited/);
  });

  test('a compaction in place of what it folded, the last one only', () => {
    const folded = shown(
      says('old'),
      text('older'),
      { kind: 'compaction', upTo: 1, summary: 'first' },
      says('new'),
      { kind: 'compaction', upTo: 2, summary: 'we were old' },
      text('yes'),
    );
    expect(brief(folded).map((line) => line.replace(/[^]*\n\n/, '… '))).toEqual([
      '… we were old',
      'person new',
      'agent yes[]',
    ]);
    expect(folded[0]).toMatchObject({ role: 'notice', causes: [], midTurn: true });
  });

  test('what a provider sealed goes back with its thought, and an empty thought is left out', () => {
    const kept = { provider: 'anthropic', content: ['sealed'] };
    expect(shown({ kind: 'reasoning', text: 'hm', kept }, text('ok'))).toEqual([
      { role: 'agent', text: 'ok', reasoning: 'hm', calls: [], kept },
    ]);
    expect(shown(says('go'), reasoning('hm'))).toEqual([{ role: 'person', text: 'go' }]);
  });

  test('whatever the journal holds, every call has its results behind it, and no message of a person is lost', () => {
    const bodies = [
      began(),
      began('resume'),
      ended,
      says('p'),
      text('t'),
      reasoning('r'),
      note,
      wake,
      answer('person'),
    ];
    const any = fc.constantFrom(...bodies, call('a'), call('b'), result('a'), result('b'), question('clarify'));
    fc.assert(
      fc.property(fc.array(any, { maxLength: 30 }), (drawn) => {
        const messages = shown(...drawn);
        const expected = messages.flatMap((message) =>
          message.role === 'agent' ? message.calls.map(({ id }) => id) : [],
        );
        const results = messages.flatMap((message) => (message.role === 'tool' ? [message.call] : []));
        expect(results).toEqual(expected);
        messages.forEach((message, index) => {
          if (message.role === 'agent')
            expect(
              messages.slice(index + 1, index + 1 + message.calls.length).every(({ role }) => role === 'tool'),
            ).toBe(true);
        });
        const count = (kind: string) => drawn.filter((body) => body.kind === kind).length;
        expect(messages.filter(({ role }) => role === 'person')).toHaveLength(count('message'));
        expect(expected).toHaveLength(count('toolCall'));
      }),
      { numRuns: 1_000 },
    );
  });
});
