/**
 * What a screen shows of a session: one fold, cold from a snapshot, live from the stream, or from both.
 *
 *   snapshot ──▶ entries up to a number ──▶ entry ── words as they come ──▶ entry ── …
 *
 *   1. An entry stands on the screen once, in the order of its number, however often and from wherever it comes.
 *   2. Words of the running step stand behind all entries until the entry comes that they have become: they are neither
 *      wiped before it nor shown together with it.
 *   3. Words are not shown before what they answer: neither before the cause of their turn, nor before the words of the
 *      step before are an entry.
 *   4. A cut voids the words: a reader that reconnects is sent what there is of them.
 */
import type { LiveEvent } from '../contract/event.js';
import type { SessionId, TurnId } from '../contract/ids.js';
import { type EntryView, SILENCE_WORD } from '../contract/journal.js';
import type { HostEvent } from './stream.js';

/** Of a step that is not an entry yet. */
export type Words = { readonly turn: TurnId; readonly text: string; readonly reasoning: string };

export type Screen = {
  readonly session: SessionId;
  /** Everything up to this number is on the screen: go on after it. */
  readonly seq: number;
  readonly entries: readonly EntryView[];
  readonly words?: Words;
  /** Words of steps that are over, whose entries are still to come. */
  readonly over: readonly Words[];
};

export type ScreenEvent =
  | HostEvent
  | { readonly kind: 'snapshot'; readonly entries: readonly EntryView[]; readonly seq: number }
  | { readonly kind: 'cut' };

export const blank = (session: SessionId): Screen => ({ session, seq: 0, entries: [], over: [] });

export function fold(screen: Screen, event: ScreenEvent): Screen {
  switch (event.kind) {
    case 'snapshot':
      return withSnapshot(screen, event);
    case 'entry':
      return withEntry(screen, event.entry);
    case 'notice':
    case 'heartbeat':
      return upTo(screen, event.seq);
    case 'live':
      return event.event.session === screen.session ? withLive(screen, event.event) : screen;
    case 'cut':
      return wordless(screen);
    case 'process':
    case 'session':
    case 'forgotten':
      return screen;
    case 'reset':
      return blank(screen.session);
  }
}

const upTo = (screen: Screen, seq: number): Screen => (seq > screen.seq ? { ...screen, seq } : screen);

/** Entries before those that are known are put before them; where something may be missing between, those are let go. */
function withSnapshot(screen: Screen, { entries, seq }: { entries: readonly EntryView[]; seq: number }): Screen {
  const [first] = entries;
  if (!first) return upTo(screen, seq);
  const known = first.seq <= screen.seq ? screen : blank(screen.session);
  const [oldest] = known.entries;
  const older = entries.filter((entry) => entry.seq <= known.seq && (!oldest || entry.seq < oldest.seq));
  return upTo(entries.reduce(withEntry, { ...known, entries: [...older, ...known.entries] }), seq);
}

function withEntry(screen: Screen, entry: EntryView): Screen {
  if (entry.seq <= screen.seq) return screen;
  if (entry.session !== screen.session) return upTo(screen, entry.seq);
  const shown = { ...screen, seq: entry.seq, entries: [...screen.entries, entry] };
  if (entry.kind === 'text' || entry.kind === 'reasoning') return spoken(shown, entry.kind, entry.text);
  return entry.kind === 'turnEnded' && entry.turn ? ended(shown, entry.turn) : shown;
}

/** Words that are over have become the entry, and those before them never will. */
function spoken(screen: Screen, of: 'text' | 'reasoning', text: string): Screen {
  const index = screen.over.findIndex((words) => words[of] === text);
  const left = screen.over.slice(Math.max(index, 0)).map((words, at) => (at === 0 ? { ...words, [of]: '' } : words));
  if (index >= 0) return { ...screen, over: left.filter(({ text, reasoning }) => text !== '' || reasoning !== '') };
  // A slow reader may have missed that they are over; any others are of the next step already.
  const missed = screen.words?.[of] === text && { words: { ...screen.words, [of]: '' } };
  return { ...screen, over: [], ...missed };
}

/** What the turn said and did not write down is void; the next one may be speaking already. */
function ended(screen: Screen, turn: TurnId): Screen {
  const over = screen.over.filter((words) => words.turn !== turn);
  return { ...(screen.words?.turn === turn ? wordless(screen) : screen), over };
}

function withLive(screen: Screen, event: LiveEvent): Screen {
  if (hasEnded(screen, event.turn)) return screen;
  switch (event.kind) {
    case 'delta':
      return withDelta(screen, event.turn, event.of, event.text);
    case 'words':
      return withWords(screen, event);
    case 'cleared':
      return { ...wordless(screen), over: screen.words ? [...screen.over, screen.words] : screen.over };
    case 'retrying':
    case 'working':
      return screen;
  }
}

function withDelta(screen: Screen, turn: TurnId, of: 'text' | 'reasoning', text: string): Screen {
  const ours = screen.words?.turn === turn ? screen.words : { turn, text: '', reasoning: '' };
  return { ...screen, words: { ...ours, [of]: ours[of] + text } };
}

function withWords({ words: _before, ...rest }: Screen, { turn, text, reasoning }: Words): Screen {
  return text + reasoning === '' ? rest : { ...rest, words: { turn, text, reasoning } };
}

function wordless(screen: Screen): Screen {
  const { words: _void, ...rest } = screen;
  return { ...rest, over: [] };
}

const hasEnded = ({ entries }: Screen, turn: TurnId): boolean =>
  entries.findLast(({ kind }) => kind === 'turnEnded')?.turn === turn;

/** The entries after a number that a reader has seen. All of them, when the screen started over. */
export const entriesAfter = ({ entries, seq }: Screen, seen: number): readonly EntryView[] =>
  seq < seen ? entries : entries.slice(entries.findLastIndex((entry) => entry.seq <= seen) + 1);

/** The words that may be shown now, and none where an answer may still turn out to say nothing. */
export function shownWords({ over, words, entries }: Screen): Words | undefined {
  const next = over[0] ?? words;
  if (!next || !isBegun(entries, next.turn)) return undefined;
  return SILENCE_WORD.startsWith(next.text.trim()) ? { ...next, text: '' } : next;
}

/** Whether what the turn answers is on the screen. */
function isBegun(entries: readonly EntryView[], turn: TurnId): boolean {
  const last = entries.findLast((entry) => entry.turn === turn);
  return last !== undefined && (last.kind !== 'turnBegan' || last.by === 'resume');
}

/** The turn that runs, by what is on the screen. */
export function runningTurn({ entries }: Pick<Screen, 'entries'>): TurnId | undefined {
  const last = entries.findLast(({ kind }) => kind === 'turnBegan' || kind === 'turnEnded');
  return last?.kind === 'turnBegan' ? last.turn : undefined;
}

export type Question = Extract<EntryView, { kind: 'question' }>;

/** Questions that wait for a person: of the running turn, and not answered. */
export function openQuestions({ entries }: Pick<Screen, 'entries'>): readonly Question[] {
  const turn = runningTurn({ entries });
  if (!turn) return [];
  const since = entries.slice(entries.findLastIndex(({ kind }) => kind === 'turnBegan'));
  const answered = new Set(since.flatMap((entry) => (entry.kind === 'answer' ? [entry.question] : [])));
  return since.filter((entry) => entry.kind === 'question').filter(({ question }) => !answered.has(question));
}
