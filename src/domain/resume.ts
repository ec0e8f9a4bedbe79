/**
 * What to do after a restart with a turn that was running.
 *
 *   tail ── is it unfinished? ──no──▶ clear: nothing to do, nothing to say
 *               │ yes
 *               ├── tried too often, too old, or a host that keeps dying ──▶ suspend, and say why
 *               └──▶ resume, and say so
 *
 *   1. Only the journal counts. Our own marks in it (a resume that began, a note, a compaction) are neither work nor
 *      fresh: their times change nothing.
 *   2. A turn that ended, a last word of the agent, and a question that waits for a person or was left unanswered are
 *      boundaries. So is a tail of nothing but our own marks.
 *   3. Tries are the resumes since a person or a notice began the turn; they stand in the tail, so none is forgotten.
 */
import type { Entry } from '../contract/journal.js';
import { durationInWords } from '../contract/words.js';
import type { Instant } from './process.js';

export type ResumeFigures = {
  /** How old the last real entry may be. */
  readonly freshMs: number;
  readonly tries: number;
  /** So many boots in a row that ended badly, none of them longer than `withinMs`: a host that keeps dying. */
  readonly boots: { readonly count: number; readonly withinMs: number };
};

export const defaultResume: ResumeFigures = {
  freshMs: 3_600_000,
  tries: 3,
  boots: { count: 4, withinMs: 300_000 },
};

/** A boot before this one; a clean one ended because it was told to. */
export type Boot = { readonly at: Instant; readonly clean: boolean };

/** `why` is one line for a person. */
export type Verdict = { readonly kind: 'resume' | 'clear' | 'suspend'; readonly why: string };

/** So many of the last entries of a journal are looked at for its tail. */
export const TAIL_ENTRIES = 500;

/** The part of a journal that decides: from the last turn that a person or a notice began. */
export function tailOf(entries: readonly Entry[]): readonly Entry[] {
  const first = entries.findLastIndex((entry) => entry.kind === 'turnBegan' && entry.by !== 'resume');
  return entries.slice(Math.max(first, 0));
}

export function resume(
  tail: readonly Entry[],
  now: Instant,
  boots: readonly Boot[],
  figures: ResumeFigures = defaultResume,
): Verdict {
  const boundary = boundaryOf(tail);
  if (boundary) return { kind: 'clear', why: boundary };
  const last = tail.findLast(isReal);
  if (!last) return { kind: 'clear', why: 'There is nothing in the journal to go on with.' };
  const against = tooOften(tail, figures) ?? tooOld(last, now, figures) ?? keepsDying(boots, now, figures);
  return against
    ? { kind: 'suspend', why: `Not resumed after the restart: ${against}. Say something to go on.` }
    : { kind: 'resume', why: `Resumed after a restart: ${unfinished(last)}.` };
}

/** Everything but our own marks. A thought that was never spoken is no work either. */
function isReal(entry: Entry): boolean {
  switch (entry.kind) {
    case 'message':
    case 'text':
    case 'toolCall':
    case 'toolResult':
    case 'wake':
    case 'question':
    case 'answer':
      return true;
    case 'turnBegan':
      return entry.by !== 'resume';
    case 'turnEnded':
    case 'reasoning':
    case 'note':
    case 'compaction':
      return false;
  }
}

/** Whether a person who asks for it finds something to go on with: also what failed, or was not resumed by itself. */
export function isUnfinished(tail: readonly Entry[]): boolean {
  if (tail.some((entry) => entry.kind === 'note' && entry.about === 'moved')) return false;
  const open = tail.filter((entry) => entry.kind !== 'turnEnded' || entry.reason !== 'failed');
  return boundaryOf(open) === undefined && open.some(isReal);
}

function boundaryOf(tail: readonly Entry[]): string | undefined {
  const ended = tail.findLastIndex(({ kind }) => kind === 'turnEnded');
  if (ended >= 0 && ended > tail.findLastIndex(({ kind }) => kind === 'turnBegan')) return 'The turn had ended.';
  const question = openQuestion(tail);
  if (question) return question;
  const last = tail.findLast(isReal);
  return last?.kind === 'text' && !last.cutOff ? 'The agent had answered.' : undefined;
}

/** A person's answer makes work again; a time-out does not, until the agent has gone on after it. */
function openQuestion(tail: readonly Entry[]): string | undefined {
  const answered = new Set(tail.flatMap((entry) => (entry.kind === 'answer' ? [entry.question] : [])));
  if (tail.some((entry) => entry.kind === 'question' && !answered.has(entry.question)))
    return 'A question waits for a person.';
  const answer = tail.findLastIndex(({ kind }) => kind === 'answer');
  const found = tail[answer];
  if (found?.kind !== 'answer' || found.by === 'person') return undefined;
  const wentOn = tail
    .slice(answer + 1)
    .some(({ kind }) => kind === 'text' || kind === 'toolCall' || kind === 'message');
  return wentOn ? undefined : 'A question was left without an answer.';
}

function unfinished(last: Entry): string {
  if (last.kind === 'toolCall') return `a call of ${last.tool} had no result`;
  if (last.kind === 'toolResult') return `the agent had not gone on after ${last.tool}`;
  if (last.kind === 'message') return 'a message had no answer';
  if (last.kind === 'answer') return 'a question had just been answered';
  if (last.kind === 'text') return 'the answer was cut off';
  return 'the turn had only begun';
}

function tooOften(tail: readonly Entry[], { tries }: ResumeFigures): string | undefined {
  const tried = tail.filter((entry) => entry.kind === 'turnBegan' && entry.by === 'resume').length;
  return tried >= tries ? `it was tried ${tried} times and never came to its end` : undefined;
}

/** A clock that was set back makes nothing old. */
function tooOld(last: Entry, now: Instant, { freshMs }: ResumeFigures): string | undefined {
  const age = now - last.at;
  if (age <= freshMs) return undefined;
  return `its last entry is ${durationInWords(age)} old, and after ${durationInWords(freshMs)} work is not taken up by itself`;
}

function keepsDying(boots: readonly Boot[], now: Instant, { boots: figures }: ResumeFigures): string | undefined {
  const last = boots.slice(-figures.count);
  const ends = [...last.slice(1).map(({ at }) => at), now];
  const badly = last.filter((boot, index) => !boot.clean && (ends[index] ?? now) - boot.at <= figures.withinMs);
  return badly.length === figures.count
    ? `the last ${figures.count} starts of the host each ended badly within ${durationInWords(figures.withinMs)}`
    : undefined;
}
