/** The words of a fact, for a person in one line. What an agent reads is `domain/notice-block.ts`. */
import type { Cause } from './notice.js';
import { durationInWords, endInWords, printable, shortened } from './words.js';

const LABEL_CHARACTERS = 80;
const QUOTE_CHARACTERS = 200;

/** `make test (proc_…) ended with exit 3 after 2m 5s`; no newline, nothing that moves a cursor or hides. */
export function personLine(cause: Cause): string {
  switch (cause.kind) {
    case 'completion':
      return `${label(cause)} ${howItEnded(cause)}${heldBack(cause.heldBack)}`;
    case 'watch_match':
      return `${label(cause)} printed "${quote(cause.pattern)}": ${quote(cause.text)}${heldBack(cause.heldBack)}`;
    case 'watch_disabled':
      return `${label(cause)} matched too often and is no longer watched; its end will be told${heldBack(cause.heldBack)}`;
    case 'watch_overflow_tripped':
      return `${overflow(cause)}; the last one was of ${cause.process}`;
    case 'watch_overflow_released':
      return `Matches of all processes are told again${heldBack(cause.heldBack)}`;
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

function howItEnded({ end, startedAt, endedAt }: Extract<Cause, { kind: 'completion' }>): string {
  if (end.kind === 'lost') return `is ${endInWords(end)}`;
  return `ended with ${endInWords(end)} after ${durationInWords(endedAt - startedAt)}`;
}

const overflow = (cause: Extract<Cause, { kind: 'watch_overflow_tripped' }>): string =>
  `More than ${cause.max} matches of all processes in ${durationInWords(cause.windowMs)}: ` +
  `none is told for ${durationInWords(cause.silenceMs)}`;

const heldBack = (count: number): string => (count === 0 ? '' : `; ${heldBackInWords(count)}`);

const heldBackInWords = (count: number): string =>
  count === 1 ? '1 match was held back' : `${count} matches were held back`;
