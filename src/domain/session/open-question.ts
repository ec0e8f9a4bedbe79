/**
 * The questions of a running turn, as another host needs them to continue it.
 *
 *   asked ──▶ waits ──answer or time-out──▶ settled ──the result of its call is stored──▶ gone
 *
 *   1. It holds the call and what it is about exactly as they are. In the journal they are redacted.
 *   2. It expires at a moment that was fixed when it was asked: a restart does not prolong it. A clock that was set back
 *      gives it at most its whole time again.
 *   3. A call whose questions all had an answer before the restart may have acted on it. One that still waited has not.
 */
import type { QuestionId } from '../../contract/ids.js';
import type { QuestionAbout } from '../../contract/journal.js';
import type { ToolCall } from './transcript.js';
import type { Instant } from '../process/process.js';

export type Answer = { readonly by: 'person'; readonly text: string } | { readonly by: 'timeout' };

export type OpenQuestion = {
  readonly question: QuestionId;
  /** The tool call that waits for the answer. */
  readonly call: ToolCall;
  readonly text: string;
  readonly choices?: readonly string[];
  readonly about: QuestionAbout;
  readonly at: Instant;
  readonly expiresAt: Instant;
  readonly answer?: Answer;
};

export const leftMs = ({ at, expiresAt }: Pick<OpenQuestion, 'at' | 'expiresAt'>, now: Instant): number =>
  Math.min(Math.max(0, expiresAt - now), expiresAt - at);

export const unanswered = (open: readonly OpenQuestion[]): readonly OpenQuestion[] =>
  open.filter(({ answer }) => !answer);

export const withAnswer = (
  open: readonly OpenQuestion[],
  question: QuestionId,
  answer: Answer,
): readonly OpenQuestion[] => open.map((each) => (each.question === question ? { ...each, answer } : each));

export const withoutCalls = (open: readonly OpenQuestion[], calls: readonly string[]): readonly OpenQuestion[] =>
  open.filter(({ call }) => !calls.includes(call.id));

/** Calls that wait, each with its questions in the order in which they were asked. */
export type WaitingCall = { readonly call: ToolCall; readonly questions: readonly OpenQuestion[] };

export function waitingCalls(open: readonly OpenQuestion[]): readonly WaitingCall[] {
  const calls = new Map(open.map(({ call }) => [call.id, call]));
  return [...calls.values()].map((call) => ({ call, questions: open.filter((each) => each.call.id === call.id) }));
}

/** An answer counts only for the question that was asked: another text, folder or place is another one. */
export const isSameMatter = (a: QuestionAbout, b: QuestionAbout): boolean =>
  a.kind === 'approval' && b.kind === 'approval'
    ? a.command === b.command && a.cwd === b.cwd && a.place === b.place
    : a.kind === b.kind;

export type Fate = 'waits' | 'expired' | 'settled';

/** What a restart finds: a turn waits on as long as a person can still answer, or has answered something of it. */
export function fateOf(open: readonly OpenQuestion[], now: Instant): Fate {
  const left = unanswered(open);
  if (left.length === 0) return 'settled';
  const goesOn = left.some((each) => leftMs(each, now) > 0) || open.some(({ answer }) => answer?.by === 'person');
  return goesOn ? 'waits' : 'expired';
}
