/** What became of a notice, and why, in a sentence that a person understands (N14). */
import type { NoticeId, ProcessId, SessionId } from '../contract/ids.js';
import type { Cause } from '../contract/notice.js';
import type { ProcessState } from '../contract/process.js';
import { endInWords, printable } from '../contract/words.js';
import { shortened } from './excerpt.js';
import { called } from '../contract/cause-line.js';
import type { Instant } from './process.js';
import type { Pending, Settled, Standing, Suppression } from './settle.js';

export type Explained = {
  readonly id: NoticeId;
  readonly session: SessionId;
  readonly cause: Cause;
  readonly at: Instant;
  readonly standing: Standing;
};

/** How a person calls what we know by number. */
export type Names = {
  readonly time: (at: Instant) => string;
  /** The session's title. */
  readonly session?: string | undefined;
  /** Who is to be told, such as `the webhook`. */
  readonly reader?: string | undefined;
};

export function why(notice: Explained, names: Names): string {
  const { standing } = notice;
  return standing.kind === 'pending' ? whyPending(notice, standing, names) : whySettled(notice, standing, names);
}

function whyPending(notice: Explained, { attempts, dueAt, lastFailure }: Pending, names: Names): string {
  const owed = `${subject(notice.cause)} is owed to ${sessionOf(notice, names)} since ${names.time(notice.at)}`;
  if (attempts === 0) return `${owed} and waits to be told.`;
  const next = `waits for its ${ordinal(attempts + 1)} attempt at ${readerOf(names)} at ${names.time(dueAt)}`;
  return `${owed} and ${next}; the ${ordinal(attempts)} failed: ${quoted(lastFailure)}.`;
}

function whySettled(notice: Explained, standing: Settled, names: Names): string {
  const { by, rule } = standing;
  const fact = subject(notice.cause);
  const to = sessionOf(notice, names);
  const at = names.time(standing.at);
  switch (standing.state) {
    case 'delivered':
      return `${fact} was told to ${to} by ${printable(by)} at ${at}${inTurn(standing)}${afterFailures(standing)} (${rule}).`;
    case 'consumed':
      return `${fact} was not sent to ${to} because the agent had already seen it: \`${printable(by)}\` showed it at ${at}${inTurn(standing)} (${rule}).`;
    case 'suppressed':
      return `${fact} was not sent to ${to}: ${suppression(standing)}. That was settled at ${at} (${rule}).`;
    case 'expired':
      return `${fact} was never told to ${to}: nobody had taken it by ${at}, and it was ${standing.reason} (${rule}).`;
    case 'dead':
      return `${fact} could not be told to ${to}: ${times(standing.attempts)} failed at ${readerOf(names)}, the last at ${at}: ${quoted(standing.lastFailure)} (${rule}). To try again: rouse notices retry ${notice.id}`;
  }
}

/** Each ends the sentence "It was not sent: …". */
const SUPPRESSED_BECAUSE: Record<Exclude<Suppression, 'dismissed'>, string> = {
  'session moved on': 'its person had closed the session or begun it anew',
  policy: "the session's policy leaves out notices of this kind",
  'its turn was stopped': 'the turn that started the process was stopped by a person',
  'its turn ended before a step at which it could be told':
    'the turn that started the process ended before a step at which it could be told',
};

const BECAUSE: ReadonlyMap<string, string> = new Map(Object.entries(SUPPRESSED_BECAUSE));

const suppression = ({ reason, by }: Settled): string =>
  reason === 'dismissed' ? `${printable(by)} dismissed it` : (BECAUSE.get(reason) ?? printable(reason));

export type Silent = {
  readonly id: ProcessId;
  readonly command: string;
  readonly name?: string | undefined;
  readonly session?: SessionId | undefined;
  readonly notifyOnComplete: boolean;
  readonly watchPatterns: readonly string[];
  readonly state: ProcessState;
  readonly outputBytes?: number | undefined;
  /** Up to which byte its output was searched. */
  readonly searched?: number | undefined;
};

/** Why a process has not a single notice (N2). */
export function whyNothing(process: Silent): string {
  const it = `\`${called(process)}\` (${process.id})`;
  if (!process.session)
    return `${it} owes nobody a notice: it was started for no session. To be told of one, start it with --session and --notify (N2).`;
  if (process.notifyOnComplete)
    return process.state === 'ended'
      ? `${it} has ended, and its end is not recorded as a notice yet: ask again in a moment.`
      : `${it} has not ended: when it does, session ${process.session} is told (N1).`;
  if (process.watchPatterns.length === 0)
    return `${it} owes session ${process.session} nothing: it was started without --notify (notifyOnComplete), which tells its end, and without --watch, which tells a line (N2).`;
  const { state, outputBytes = 0, searched = 0 } = process;
  if (state !== 'ended') return `${it} is watched, and no match has been found yet. ${WITHOUT_NOTIFY}`;
  return searched < outputBytes
    ? `${it} has ended, and no match was found in the ${searched} bytes of its output that were searched; ${outputBytes - searched} more were not. ${WITHOUT_NOTIFY}`
    : `${it} has ended, and no line that it printed matched a pattern. ${WITHOUT_NOTIFY}`;
}

const WITHOUT_NOTIFY = 'Without a match its end is reported only with --notify (N2).';

function subject(cause: Cause): string {
  switch (cause.kind) {
    case 'completion':
      return `The end of \`${called(cause)}\` (${cause.process}, ${endInWords(cause.end)})`;
    case 'watch_match':
      return `The match of "${quoted(cause.pattern)}" in \`${called(cause)}\` (${cause.process}${cause.output && cause.end ? `, which ended: ${endInWords(cause.end)}` : ''})`;
    case 'watch_disabled':
      return `The news that \`${called(cause)}\` (${cause.process}) is no longer watched`;
    case 'watch_overflow_tripped':
      return `The news that too many lines matched at once (the last one of ${cause.process})`;
    case 'watch_overflow_released':
      return 'The news that matches are told again';
    case 'message':
      return `The message "${quoted(cause.text)}" from ${quoted(cause.from)}`;
  }
}

const sessionOf = ({ session }: Explained, names: Names): string =>
  names.session ? `session "${quoted(names.session)}"` : `session ${session}`;

const readerOf = ({ reader }: Names): string => reader ?? 'its reader';

const quoted = (text = 'nobody knows why'): string => shortened(printable(text), 100);

const inTurn = ({ turn }: Settled): string => (turn ? ` in ${turn}` : '');

const afterFailures = ({ attempts, lastFailure }: Settled): string =>
  lastFailure === undefined
    ? ''
    : `, at the ${ordinal(attempts)} attempt; the one before failed: ${quoted(lastFailure)}`;

const times = (attempts: number): string => (attempts === 1 ? 'the only attempt' : `all ${attempts} attempts`);

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

const ordinal = (number: number): string => ORDINALS[number - 1] ?? `${number}${suffix(number)}`;

function suffix(number: number): string {
  const teens = number % 100 > 10 && number % 100 < 14;
  return (teens ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th';
}
