/**
 * When an alert goes to a browser whose page is closed.
 *
 *   1. Not at once: a page that reloads is gone for a moment, and so are all pages when a host has just started; a
 *      person who looks has seen it by then.
 *   2. Nothing older than an hour: a host that was down does not report old news.
 *   3. Not what a person has already seen on any device, nor a question that is closed.
 *   4. What a push service could not take is tried again a few times, later each time.
 */
import type { Alert } from '../../contract/alert.js';
import type { QuestionId } from '../../contract/ids.js';
import type { Mailbox } from '../session/mailbox.js';
import type { Instant } from '../process/process.js';
import { pauseMs, type RetryFigures } from '../notice/settle.js';

export const FRESH_MS = 3_600_000;

export type Timeliness =
  | { readonly kind: 'now' }
  | { readonly kind: 'in'; readonly ms: number }
  | { readonly kind: 'stale' };

/** With a clock that was set back, the wait is still at most `delayMs`. */
export function timeliness(
  at: Instant,
  now: Instant,
  { delayMs, startedAt }: { readonly delayMs: number; readonly startedAt: Instant },
): Timeliness {
  if (now - at > FRESH_MS) return { kind: 'stale' };
  const leftMs = Math.min(delayMs, Math.max(at, startedAt) + delayMs - now);
  return leftMs > 0 ? { kind: 'in', ms: leftMs } : { kind: 'now' };
}

type Standing = { readonly seenSeq: number; readonly mailbox: Mailbox; readonly closedAt?: Instant };

/** Whether it is still news in a session as it stands now. `question` is given when the alert is about one. */
export const isStillNews = ({ seq }: Alert, { seenSeq, mailbox, closedAt }: Standing, question?: QuestionId): boolean =>
  seenSeq < seq && closedAt === undefined && (question === undefined || waitsFor(mailbox, question));

const waitsFor = ({ turn }: Mailbox, question: QuestionId): boolean =>
  turn?.phase.kind === 'waiting' && turn.phase.questions.includes(question);

/** The pause after this many attempts; undefined after the last. It is at least what the service asks for. */
export function pauseAfter(tries: number, wishMs: number | undefined, figures: RetryFigures): number | undefined {
  if (tries >= figures.attempts) return undefined;
  return Math.min(figures.longestRetryMs, Math.max(wishMs ?? 0, pauseMs(tries, figures)));
}
