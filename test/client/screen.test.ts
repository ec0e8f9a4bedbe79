import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blank, entriesAfter, fold, openQuestions, runningTurn, shownWords } from '../../src/client/screen.js';
import type { Screen, ScreenEvent } from '../../src/client/screen.js';
import { SessionId, TurnId } from '../../src/contract/ids.js';
import { readEntry, type EntryView } from '../../src/contract/journal.js';

const session = SessionId.parse('ses_0123456789ab');
const turnId = (number: number) => TurnId.parse(`turn_${String(number).padStart(12, '0')}`);
const at = '2026-11-16T00:00:00.000Z';

const entry = (seq: number, turn: number, body: object): EntryView =>
  readEntry({ seq, session, turn: turnId(turn), at, ...body });

const shows = (entry: EntryView): ScreenEvent => ({ kind: 'entry', seq: entry.seq, entry });

const delta = (turn: number, text: string): ScreenEvent => ({
  kind: 'live',
  event: { session, turn: turnId(turn), kind: 'delta', of: 'text', text },
});

const cleared = (turn: number): ScreenEvent => ({
  kind: 'live',
  event: { session, turn: turnId(turn), kind: 'cleared' },
});

const play = (events: readonly ScreenEvent[], screen: Screen = blank(session)): Screen => events.reduce(fold, screen);

/** Words in pieces. `late` lets their entry come after they are over, and after some pieces of the next step. */
type Step = { readonly pieces: readonly string[]; readonly late: number };

const steps = fc.array(
  fc.record({
    pieces: fc.array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 3 }),
    late: fc.integer({ min: 0, max: 3 }),
  }),
  { minLength: 1, maxLength: 3 },
);

/** No two steps say the same. */
const spoken = ({ pieces }: Step, turn: number, step: number): readonly string[] => [`${turn}.${step} `, ...pieces];

/** What was sent, and up to which number the journal was written by then: an entry may be sent later. */
type Sent = { readonly event: ScreenEvent; readonly written: number };

/** What a host sends for some turns. */
function sentFor(turns: readonly (readonly Step[])[]): readonly Sent[] {
  let written = 0;
  const sent: Sent[] = [];
  const write = (turn: number, body: object) => shows(entry((written += 1 + (written % 2)), turn, body));
  const send = (...events: readonly ScreenEvent[]) => sent.push(...events.map((event) => ({ event, written })));
  turns.forEach((steps, turn) => {
    send(write(turn, { kind: 'turnBegan', generation: turn + 1, by: 'person', model: 'rehearsal' }));
    send(write(turn, { kind: 'message', message: 'msg_0123456789ab', text: 'x', mode: 'queue', from: 'person' }));
    const unsent: ScreenEvent[] = [];
    for (const [number, step] of steps.entries()) {
      const { late } = step;
      const pieces = spoken(step, turn, number);
      pieces.forEach((piece, index) => {
        if (index === late) send(...unsent.splice(0));
        send(delta(turn, piece));
      });
      send(...unsent.splice(0));
      send(cleared(turn));
      unsent.push(write(turn, { kind: 'text', text: pieces.join('') }));
    }
    send(cleared(turn), ...unsent, write(turn, { kind: 'turnEnded', reason: 'finished' }));
  });
  return sent;
}

const eventsOf = (sent: readonly Sent[]): readonly ScreenEvent[] => sent.map(({ event }) => event);

const entriesOf = (sent: readonly Sent[], upTo = Infinity): readonly EntryView[] =>
  sent.flatMap(({ event }) => (event.kind === 'entry' && event.seq <= upTo ? [event.entry] : []));

/** What a host sends to whoever connects: every entry behind the number that is written, then the words so far. */
function onConnecting(all: readonly Sent[], point: number, after: number): readonly ScreenEvent[] {
  const written = all[point - 1]?.written ?? 0;
  const before = all.slice(0, point);
  const step = before.slice(
    before.findLastIndex(({ event }) => event.kind === 'live' && event.event.kind === 'cleared') + 1,
  );
  const deltas = step.flatMap(({ event }) =>
    event.kind === 'live' && event.event.kind === 'delta' ? [event.event] : [],
  );
  const [first] = deltas;
  const text = deltas.map((words) => words.text).join('');
  return [
    ...entriesOf(all, written)
      .filter(({ seq }) => seq > after)
      .map(shows),
    ...(first ? [{ kind: 'live', event: { ...first, text } } as const] : []),
  ];
}

describe('the screen of a session', () => {
  const turns = fc.array(steps, { minLength: 1, maxLength: 3 });

  test('L2 L4 is the same after any snapshot, any cut and any doubled entry', () => {
    fc.assert(
      fc.property(turns, fc.array(fc.nat(60), { maxLength: 4 }), fc.nat(60), fc.nat(10), (turns, cuts, end, again) => {
        const all = sentFor(turns);
        const last = 1 + (end % all.length);
        const points = [...new Set(cuts.map((cut) => cut % last))].sort((a, b) => a - b);
        let screen = blank(session);
        let from = 0;
        for (const point of points) {
          screen = fold(play(eventsOf(all.slice(from, point)), screen), { kind: 'cut' });
          from = point;
          const written = all[point - 1]?.written ?? 0;
          if (point % 2 === 0)
            screen = fold(screen, { kind: 'snapshot', entries: entriesOf(all, written), seq: written });
          screen = play(onConnecting(all, point, Math.max(0, screen.seq - again)), screen);
        }
        // What is written by then comes, sooner or later.
        const rest = entriesOf(all, all[last - 1]?.written).map(shows);
        const cut = play([...eventsOf(all.slice(from, last)), ...rest], screen);
        const uncut = play([...eventsOf(all.slice(0, last)), ...rest]);
        expect(cut.entries).toEqual(uncut.entries);
        expect(cut.seq).toBe(uncut.seq);
        // Words that are over and no entry yet are not sent again: whoever connects just then gets them as the entry.
        const { event } = all[last - 1] ?? {};
        if (event?.kind === 'live' && event.event.kind === 'cleared') return;
        expect(shownWords(cut)?.text ?? '').toBe(shownWords(uncut)?.text ?? '');
      }),
      { numRuns: 1_000 },
    );
  });

  test('L2 L4 is the same cold and live, with nothing left of words once a turn is over', () => {
    fc.assert(
      fc.property(turns, (turns) => {
        const sent = sentFor(turns);
        const entries = entriesOf(sent);
        const live = play(eventsOf(sent));
        expect(live).toEqual(play([{ kind: 'snapshot', entries, seq: live.seq }]));
        expect(live.words).toBeUndefined();
      }),
    );
  });

  test('never shows words beside the entry that they have become, whichever comes first', () => {
    fc.assert(
      fc.property(turns, (turns) => {
        let screen = blank(session);
        for (const { event } of sentFor(turns)) {
          screen = fold(screen, event);
          const texts = screen.entries.filter(({ kind }) => kind === 'text').length;
          const ended = screen.entries.filter(({ kind }) => kind === 'turnEnded').length;
          const done = turns.slice(0, ended).flat().length;
          const next = turns[ended]?.[texts - done];
          const words = shownWords(screen)?.text ?? '';
          // What is shown is the beginning of the step whose entry is the next to come.
          expect((next ? spoken(next, ended, texts - done).join('') : '').startsWith(words)).toBe(true);
        }
      }),
    );
  });
});

const BEGAN = { kind: 'turnBegan', generation: 1, by: 'wake', model: 'rehearsal' };

test('L3 shows no words of a wake before its cause', () => {
  const screen = play([shows(entry(1, 1, BEGAN)), delta(1, 'woken')]);
  expect(shownWords(screen)).toBeUndefined();
  expect(shownWords(fold(screen, shows(entry(2, 1, { kind: 'wake', causes: [] }))))).toMatchObject({ text: 'woken' });
});

test('L2 shows what there is of a step in place of what one who was slow has seen of it', () => {
  const words = (text: string): ScreenEvent => ({
    kind: 'live',
    event: { session, turn: turnId(1), kind: 'words', text, reasoning: '' },
  });
  const begun = [shows(entry(1, 1, { ...BEGAN, by: 'resume' })), delta(1, 'It is ')];
  const shown = play([...begun, words('It is all green'), delta(1, '.')]);
  expect(shownWords(shown)?.text).toBe('It is all green.');
  const said = play([cleared(1), shows(entry(2, 1, { kind: 'text', text: 'It is all green.' }))], shown);
  expect(shownWords(said)).toBeUndefined();
  expect(shownWords(play([...begun, words('')]))).toBeUndefined();
});

test('T13 shows nothing of an answer that may turn out to say nothing', () => {
  const begun = play([shows(entry(1, 1, { ...BEGAN, by: 'resume' })), delta(1, 'NOTHING_')]);
  expect(shownWords(begun)?.text).toBe('');
  expect(shownWords(fold(begun, delta(1, 'but this')))?.text).toBe('NOTHING_but this');
});

test('begins anew when the number was of another store', () => {
  const screen = play([shows(entry(7, 1, BEGAN)), { kind: 'reset', head: 2 }]);
  expect(screen).toEqual(blank(session));
  const anew = fold(screen, shows(entry(1, 1, BEGAN)));
  expect(entriesAfter(anew, 7).map(({ seq }) => seq)).toEqual([1]);
});

test('lets old entries go when a snapshot may have missed some behind them', () => {
  const screen = play([shows(entry(1, 1, BEGAN)), shows(entry(2, 1, { kind: 'text', text: 'old' }))]);
  const later = entry(9, 1, { kind: 'text', text: 'new' });
  expect(fold(screen, { kind: 'snapshot', entries: [later], seq: 9 }).entries).toEqual([later]);
});

test('knows the turn that runs and the questions that wait in it', () => {
  const question = { kind: 'question', question: 'qst_0123456789ab', text: 'Deploy?', about: { kind: 'clarify' } };
  const asked = play([shows(entry(1, 1, BEGAN)), shows(entry(2, 1, question))]);
  expect(runningTurn(asked)).toBe(turnId(1));
  expect(openQuestions(asked)).toHaveLength(1);
  const answer = { kind: 'answer', question: 'qst_0123456789ab', text: 'yes', by: 'person' };
  expect(openQuestions(fold(asked, shows(entry(3, 1, answer))))).toEqual([]);
  expect(openQuestions(fold(asked, shows(entry(3, 1, { kind: 'turnEnded', reason: 'stopped' }))))).toEqual([]);
});
