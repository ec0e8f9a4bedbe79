/**
 * What to do after a restart with a turn that was running.
 *
 *   does a question wait? ──yes──▶ wait: the same turn continues when it is answered
 *      │ no, or its time is over ──▶ expired: the turn is over
 *      ▼
 *   tail ── is it unfinished? ──no──▶ clear: nothing to do, nothing to say
 *               │ yes
 *               ├── tried too often, too old, or a host that keeps dying ──▶ suspend, and say why
 *               └──▶ resume, and say so
 *
 *   1. Only the journal counts. Our own marks in it (a resume that began, a note, a compaction) are neither work nor
 *      fresh: their times change nothing.
 *   2. A turn that ended, a final answer of the agent, and a question that was left unanswered are boundaries. So is a
 *      tail of nothing but our own marks.
 *   3. Tries are the resumes since a person or a notice began the turn; they are in the tail, so none is forgotten.
 */
import type { Entry } from '../../contract/journal.js';
import { durationInWords } from '../../contract/display.js';
import { fateOf, type OpenQuestion } from './open-question.js';
import type { Instant } from '../process/process.js';

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
export type Verdict = {
  readonly kind: 'resume' | 'wait' | 'expired' | 'clear' | 'suspend';
  readonly why: string;
};

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
  asked: readonly OpenQuestion[] = [],
): Verdict {
  if (hasEnded(tail)) return { kind: 'clear', why: 'The turn had ended.' };
  const fate = fateOf(asked, now);
  if (fate === 'waits') return { kind: 'wait', why: 'A question waits for a person.' };
  const answeredFor = asked.some(({ answer }) => answer?.by === 'person');
  if (fate === 'expired' || (isUnanswered(tail) && !answeredFor))
    return { kind: 'expired', why: 'a question to a person got no answer in time' };
  if (hasAnswered(tail)) return { kind: 'clear', why: 'The agent had answered.' };
  const last = tail.findLast(isReal);
  if (!last) return { kind: 'clear', why: 'The journal has no unfinished work.' };
  const against = tooOften(tail, figures) ?? tooOld(last, now, figures) ?? keepsDying(boots, now, figures);
  return against
    ? { kind: 'suspend', why: `Not resumed after the restart: ${against}. Send a message to continue.` }
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

/** Whether a person can resume something: also what failed, or was not resumed automatically. */
export function isUnfinished(tail: readonly Entry[]): boolean {
  if (tail.some((entry) => entry.kind === 'note' && entry.about === 'moved')) return false;
  const open = tail.filter((entry) => entry.kind !== 'turnEnded' || entry.reason !== 'failed');
  return !hasEnded(open) && !isUnanswered(open) && !hasAnswered(open) && open.some(isReal);
}

function hasAnswered(tail: readonly Entry[]): boolean {
  const last = tail.findLast(isReal);
  return last?.kind === 'text' && !last.cutOff;
}

function hasEnded(tail: readonly Entry[]): boolean {
  const ended = tail.findLastIndex(({ kind }) => kind === 'turnEnded');
  return ended >= 0 && ended > tail.findLastIndex(({ kind }) => kind === 'turnBegan');
}

/**
 * A person's answer makes work again; a time-out does not, until the agent has gone on after it. A question that is
 * only in the journal is of a version that could not keep it.
 */
function isUnanswered(tail: readonly Entry[]): boolean {
  const answered = new Set(tail.flatMap((entry) => (entry.kind === 'answer' ? [entry.question] : [])));
  if (tail.some((entry) => entry.kind === 'question' && !answered.has(entry.question))) return true;
  const answer = tail.findLastIndex(({ kind }) => kind === 'answer');
  const found = tail[answer];
  if (found?.kind !== 'answer' || found.by === 'person') return false;
  return !tail.slice(answer + 1).some(({ kind }) => kind === 'text' || kind === 'toolCall' || kind === 'message');
}

/** Calls of the last step that have no result and wait for no person: their outcome is unknown. */
export function cutOffCalls(tail: readonly Entry[], asked: readonly OpenQuestion[]): readonly CutOff[] {
  const calls = tail.slice(lastThought(tail)).filter((entry) => entry.kind === 'toolCall');
  const done = new Set(
    tail.slice(lastThought(tail)).flatMap((entry) => (entry.kind === 'toolResult' ? [entry.call] : [])),
  );
  return calls.filter(({ call }) => !done.has(call) && !asked.some((open) => open.call.id === call));
}

type CutOff = Extract<Entry, { kind: 'toolCall' }>;

/** Where the calls of the last step begin: they are stored together. */
function lastThought(tail: readonly Entry[]): number {
  const last = tail.findLastIndex(({ kind }) => kind === 'toolCall');
  const before = tail.slice(0, Math.max(last, 0)).findLastIndex(({ kind }) => kind !== 'toolCall');
  return before + 1;
}

function unfinished(last: Entry): string {
  if (last.kind === 'toolCall') return `a call of ${last.tool} had no result`;
  if (last.kind === 'toolResult') return `the agent had not continued after ${last.tool}`;
  if (last.kind === 'message') return 'a message had no answer';
  if (last.kind === 'answer') return 'a question had just been answered';
  if (last.kind === 'text') return 'the answer was cut off';
  return 'the turn had only begun';
}

function tooOften(tail: readonly Entry[], { tries }: ResumeFigures): string | undefined {
  const tried = tail.filter((entry) => entry.kind === 'turnBegan' && entry.by === 'resume').length;
  return tried >= tries ? `it was tried ${tried} times and never finished` : undefined;
}

/** A clock that was set back makes nothing older. */
function tooOld(last: Entry, now: Instant, { freshMs }: ResumeFigures): string | undefined {
  const age = now - last.at;
  if (age <= freshMs) return undefined;
  return `its last entry is ${durationInWords(age)} old, and after ${durationInWords(freshMs)} work is not resumed automatically`;
}

function keepsDying(boots: readonly Boot[], now: Instant, { boots: figures }: ResumeFigures): string | undefined {
  const last = boots.slice(-figures.count);
  const ends = [...last.slice(1).map(({ at }) => at), now];
  const badly = last.filter((boot, index) => !boot.clean && (ends[index] ?? now) - boot.at <= figures.withinMs);
  return badly.length === figures.count
    ? `after each of its last ${figures.count} starts, the host crashed within ${durationInWords(figures.withinMs)}`
    : undefined;
}
