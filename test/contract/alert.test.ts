import { describe, expect, test } from 'vitest';
import { QuestionId, SessionId, TurnId } from '../../src/contract/ids.js';
import { type EntryBody, type NoteAbout, type TurnEnd, SILENCE_WORD } from '../../src/contract/journal.js';
import { PeoplePolicy } from '../../src/contract/notice.js';
import { alertForEntry, alertForNotice, type Admitted, type Owner, type Written } from '../../src/contract/alert.js';

const session = SessionId.parse('ses_00000000000b');
const turn = TurnId.parse('turn_00000000000c');
const owner: Owner = { title: 'Builds', agent: 'rouse', people: 'all' };

const entry = (seq: number, body: EntryBody, of = turn): Written => ({ ...body, seq, session, turn: of });
const text = (seq: number, words: string) => entry(seq, { kind: 'text', text: words });
const ended = (seq: number, reason: TurnEnd, why?: string) =>
  entry(seq, { kind: 'turnEnded', reason, ...(why && { why }) });
const note = (seq: number, about: NoteAbout, words: string) => entry(seq, { kind: 'note', about, text: words });
const question = (seq: number, about: Extract<EntryBody, { kind: 'question' }>['about']): Written =>
  entry(seq, { kind: 'question', question: QuestionId.parse('qst_00000000000d'), text: 'Which branch?', about });

const bodyOf = (last: Written, before: readonly Written[] = [], more: Partial<Owner> = {}) =>
  alertForEntry(last, before, { ...owner, ...more })?.body;

describe('what a turn is worth', () => {
  test('its last answer, under the name of its session, once and for good', () => {
    const before = [text(6, 'I will start it.'), text(7, 'It is built.')];
    expect(alertForEntry(ended(8, 'finished'), before, owner)).toEqual({
      seq: 7,
      title: 'Builds',
      body: 'It is built.',
      tag: `${session}-7`,
      url: `/#/sessions/${session}`,
    });
  });

  test('T13 nothing when it answered with the silence word, or with nothing at all', () => {
    const silent = entry(7, { kind: 'text', text: SILENCE_WORD, silent: true });
    expect(bodyOf(ended(8, 'finished'), [text(6, 'I will look.'), silent])).toBeUndefined();
    expect(bodyOf(ended(8, 'finished'), [text(7, '  \n')])).toBeUndefined();
    expect(bodyOf(ended(8, 'finished'), [])).toBeUndefined();
  });

  test('nothing of another turn', () => {
    const other = entry(7, { kind: 'text', text: 'Earlier.' }, TurnId.parse('turn_00000000000e'));
    expect(bodyOf(ended(8, 'finished'), [other])).toBeUndefined();
  });

  test('T10 why it failed, and not once more that wakes are paused for it', () => {
    const failed = ended(8, 'failed', 'the model is down');
    expect(bodyOf(failed)).toBe('The turn failed: the model is down');
    expect(bodyOf(ended(8, 'stepLimit', 'it took 50 steps'))).toBe('Rouse ended the turn: it took 50 steps');
    const paused = note(9, 'paused', 'Wakes are paused: the model is down.');
    expect(bodyOf(paused, [failed])).toBeUndefined();
    expect(bodyOf(paused, [])).toBe('Wakes are paused: the model is down.');
  });

  test.each(['stopped', 'interrupted', 'superseded'] as const)('nothing when it was %s', (reason) => {
    expect(bodyOf(ended(8, reason), [text(7, 'Half of it.')])).toBeUndefined();
  });

  test('R1 that a restart left it as it was', () => {
    expect(bodyOf(note(8, 'notResumed', 'It was not resumed: tried 3 times.'))).toBe(
      'It was not resumed: tried 3 times.',
    );
    expect(bodyOf(note(8, 'resumed', 'It goes on.'))).toBeUndefined();
  });
});

test('T11 a question is told as it is asked, an approval with its command', () => {
  expect(bodyOf(question(8, { kind: 'clarify' }))).toBe('Which branch?');
  const approval = { kind: 'approval', command: 'rm -rf build', cwd: '/', place: 'local' } as const;
  expect(bodyOf(question(8, approval))).toBe(
    'May the agent run this? rm -rf build (redacted and shortened; see the exact command on the page)',
  );
});

test('N12 people hear what they want to hear', () => {
  const answer = (people: PeoplePolicy) => bodyOf(ended(8, 'finished'), [text(7, 'Done.')], { people });
  const trouble = (people: PeoplePolicy) => bodyOf(ended(8, 'failed'), [], { people });
  const asked = (people: PeoplePolicy) => bodyOf(question(8, { kind: 'clarify' }), [], { people });
  const heard = PeoplePolicy.options.map((people) => [people, !!answer(people), !!trouble(people), !!asked(people)]);
  expect(heard).toEqual([
    ['all', true, true, true],
    ['result', true, true, true],
    ['error', false, true, true],
    ['off', false, false, false],
  ]);
});

describe('how it is said', () => {
  const said = (words: string, redact?: (text: string) => string) =>
    alertForEntry(ended(8, 'finished'), [text(7, words)], owner, redact);

  test('in one line, without marks and without what hides', () => {
    expect(said('## Done\n\n**All** tests `pass`:\n```sh\nmake  test\n```')?.body).toBe(
      'Done All tests pass: make test',
    );
    expect(said('safe\u202etxt\u0007 <b>x</b>')?.body).toBe('safetxt <b>x</b>');
  });

  test.each(['x', '漢', '😀', '"', '\\'])('in less than 2 KB, whatever it is made of: %s', (sign) => {
    const alert = alertForEntry(ended(8, 'finished'), [text(7, sign.repeat(9_000))], {
      ...owner,
      title: sign.repeat(200),
    });
    expect(alert?.body).toMatch(/…$/);
    expect(new TextEncoder().encode(JSON.stringify(alert)).length).toBeLessThan(2_000);
  });

  test('P20 without secrets, also one that the end of the line would have cut', () => {
    const secret = 'hunter2hunter2';
    const redact = (words: string) => words.replaceAll(secret, '***');
    const body = said(`${'x'.repeat(235)} ${secret}`, redact)?.body ?? '';
    expect(body).toContain('***');
    expect(body).not.toContain('hun');
  });

  test('under our own name while its session has none', () => {
    const { title: _, ...nameless } = owner;
    expect(alertForEntry(ended(8, 'finished'), [text(7, 'Done.')], nameless)?.title).toBe('Rouse');
  });
});

describe('a notice', () => {
  const notice: Admitted = { session, seq: 9, state: 'pending', attempts: 0, line: 'make ended', people: true };
  const none: Owner = { ...owner, agent: 'none' };

  test('is told where nobody is woken by it', () => {
    expect(alertForNotice(notice, none)).toMatchObject({ seq: 9, title: 'Builds', body: 'make ended' });
    expect(alertForNotice(notice, owner)).toBeUndefined();
    expect(alertForNotice(notice, { ...none, webhook: {} })).toBeUndefined();
  });

  test('N12 is told where its policy keeps it from the agent, and never where people want no alert', () => {
    const kept = { ...notice, state: 'suppressed', reason: 'policy' } as const;
    expect(alertForNotice(kept, owner)?.body).toBe('make ended');
    expect(alertForNotice({ ...kept, people: false }, owner)).toBeUndefined();
    expect(alertForNotice({ ...notice, people: false }, none)).toBeUndefined();
    expect(alertForNotice({ ...kept, reason: 'session moved on' }, owner)).toBeUndefined();
  });

  test('is told once: what becomes of it later is no news', () => {
    for (const state of ['delivered', 'consumed', 'suppressed', 'expired', 'dead'] as const)
      expect(alertForNotice({ ...notice, state }, none)).toBeUndefined();
    expect(alertForNotice({ ...notice, attempts: 1 }, none)).toBeUndefined();
  });
});
