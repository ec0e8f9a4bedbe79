/** The words of a fact, for a person in one line. What an agent reads is `domain/notice/notice-block.ts`. */
import type { Cause } from './notice.js';
import type { End } from './process.js';
import { durationInWords, endInWords, printable, shortened } from './display.js';

const LABEL_CHARACTERS = 80;
const QUOTE_CHARACTERS = 200;

/** `make test (proc_…) ended with exit 3 after 2m 5s`; no newline, nothing that moves a cursor or hides. */
export function personLine(cause: Cause): string {
  switch (cause.kind) {
    case 'completion':
      return `${label(cause)} ${howItEnded(cause)}${heldBack(cause.heldBack)}${unsearched(cause.unsearched)}`;
    case 'watch_match':
      return `${label(cause)} printed "${quote(cause.pattern)}": ${quote(cause.text)}${ended(cause)}${heldBack(cause.heldBack)}${unsearched(cause.unsearched)}`;
    case 'watch_disabled':
      return `${label(cause)} matched too often, so Rouse no longer watches it and reports its end instead${ended(cause)}${heldBack(cause.heldBack)}`;
    case 'watch_overflow_tripped':
      return `${overflow(cause)}; the last one was of ${cause.process}`;
    case 'watch_overflow_released':
      return `Matches of all processes are reported again${heldBack(cause.heldBack)}`;
    case 'message':
      return `Message from ${quote(cause.from)}: ${quote(cause.text)}`;
  }
}

type About = { readonly process: string; readonly command: string; readonly name?: string | undefined };

/** The name that its starter gave it, or its command. */
export const called = ({ command, name }: Omit<About, 'process'>, characters = LABEL_CHARACTERS): string =>
  shortened(printable(name ?? '') || printable(command), characters);

const label = (about: About): string => `${called(about)} (${about.process})`;

const quote = (text: string): string => shortened(printable(text), QUOTE_CHARACTERS);

/** How a process ended, and when. */
export type Ending = { readonly end: End; readonly startedAt: number; readonly endedAt: number };

/** The end that a cause reports, if it reports one. */
export function endingOf(cause: Cause): Ending | undefined {
  if (!('end' in cause) || cause.end === undefined) return undefined;
  const { end, startedAt = 0, endedAt = startedAt } = cause;
  return { end, startedAt, endedAt };
}

function howItEnded({ end, startedAt, endedAt }: Ending): string {
  if (end.kind === 'lost') return `is ${endInWords(end)}`;
  return `ended with ${endInWords(end)} after ${durationInWords(endedAt - startedAt)}`;
}

function ended(cause: Cause): string {
  const ending = endingOf(cause);
  return ending ? `; it ${howItEnded(ending)}` : '';
}

const overflow = (cause: Extract<Cause, { kind: 'watch_overflow_tripped' }>): string =>
  `More than ${cause.max} matches of all processes in ${durationInWords(cause.windowMs)}: ` +
  `they are held back for ${durationInWords(cause.silenceMs)} and then reported`;

const heldBack = (count: number): string => (count === 0 ? '' : `; ${heldBackInWords(count)}`);

const heldBackInWords = (count: number): string =>
  count === 1 ? '1 match was held back' : `${count} matches were held back`;

const unsearched = (bytes: number | undefined): string =>
  bytes === undefined ? '' : `; ${unsearchedInWords(bytes)} could not be searched`;

export const unsearchedInWords = (bytes: number): string =>
  bytes === 0 ? 'a part of its output' : `${bytes} bytes of its output`;
