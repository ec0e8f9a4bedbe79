/** What became of a notice, and why, in a sentence that a person understands (N14). */
import type { NoticeId, ProcessId, SessionId, QuestionId } from '../../contract/ids.js';
import type { Cause } from '../../contract/notice.js';
import type { ProcessState } from '../../contract/process.js';
import { durationInWords, endInWords, printable } from '../../contract/display.js';
import { shortened } from '../output/excerpt.js';
import type { Pending, Settled, Standing, Suppression } from './settle.js';
import type { TurnBy } from '../../contract/journal.js';
import { called } from '../../contract/cause-line.js';
import type { Instant } from '../process/process.js';
import type { Watch } from './watch.js';

export type Explained = {
  readonly id: NoticeId;
  readonly session: SessionId;
  readonly cause: Cause;
  readonly at: Instant;
  readonly standing: Standing;
};

/** What keeps a pending notice from its session, and until when (N14). */
export type Hold =
  /** Neither an agent nor a webhook: only people see it. */
  | { readonly kind: 'noReader' }
  | { readonly kind: 'webhook' }
  | { readonly kind: 'turn'; readonly by: TurnBy; readonly generation: number }
  /** A match of the turn that runs. */
  | { readonly kind: 'nextStep' }
  | { readonly kind: 'question'; readonly question: QuestionId; readonly until?: Instant }
  | { readonly kind: 'messages'; readonly count: number }
  | { readonly kind: 'pause'; readonly why: string }
  | {
      readonly kind: 'budget';
      readonly until: Instant;
      readonly figures: { readonly wakes: number; readonly windowMs: number };
      /** How many notices come together then. */
      readonly together: number;
    }
  | { readonly kind: 'stoppingHost' };

/** What people call what we know by id and number. */
export type Names = {
  readonly time: (at: Instant) => string;
  /** The session's title. */
  readonly session?: string | undefined;
  /** What keeps a pending notice from its session. */
  readonly holds?: readonly Hold[];
};

export function why(notice: Explained, names: Names): string {
  const { standing } = notice;
  return standing.kind === 'pending' ? whyPending(notice, standing, names) : whySettled(notice, standing, names);
}

function whyPending(notice: Explained, { attempts, dueAt, lastFailure }: Pending, names: Names): string {
  const owed = `${subject(notice.cause)} has been pending for ${sessionOf(notice, names)} since ${names.time(notice.at)}`;
  if (attempts === 0) return `${owed} and ${waiting(notice, names)}.`;
  const next = `will be sent to the webhook again at ${names.time(dueAt)} (attempt ${attempts + 1})`;
  return `${owed} and ${next}; attempt ${attempts} failed: ${quoted(lastFailure)}.`;
}

function waiting(notice: Explained, names: Names): string {
  const holds = (names.holds ?? []).map((hold) => holdInWords(hold, notice.session, names));
  return holds.length === 0 ? 'waits for delivery' : `is held back: ${holds.join('; ')}`;
}

/** What holds back the notices of a session, and until when. */
export function holdInWords(hold: Hold, session: SessionId, { time }: Pick<Names, 'time'>): string {
  switch (hold.kind) {
    case 'webhook':
      return 'it waits to be sent to the webhook';
    case 'noReader':
      return 'the session has no agent and no webhook to receive it, so it stays pending until a person dismisses it (rouse notices dismiss ID), sees the end of the process, or closes the session';
    case 'nextStep':
      return 'the turn that started the process is still running and receives it at its next step';
    case 'turn':
      return `${BEGUN_BY[hold.by]} (generation ${hold.generation}) is still running, and Rouse wakes the agent after it ends`;
    case 'question':
      return `the running turn waits for a person to answer ${hold.question}${hold.until === undefined ? '' : ` until ${time(hold.until)}`}; to answer: rouse answer ${session} TEXT --question ${hold.question}`;
    case 'messages':
      return `${hold.count === 1 ? 'one message from a person comes' : `${hold.count} messages from people come`} first`;
    case 'pause':
      return `wakes of this session are paused because a turn failed: ${sentenceIn(hold.why)}. To resume, send a message, run "rouse resume ${session}", or change the model or its credentials (T10)`;
    case 'budget':
      return `the session has used its wake budget (${hold.figures.wakes} ${hold.figures.wakes === 1 ? 'wake' : 'wakes'} in ${durationInWords(hold.figures.windowMs)} without a message from a person), so Rouse delivers ${hold.together === 1 ? 'it' : `all ${hold.together} notices together`} at ${time(hold.until)}, or when a person sends a message (N15)`;
    case 'stoppingHost':
      return 'this host is stopping, and the next host delivers it';
  }
}

const BEGUN_BY: Record<TurnBy, string> = {
  person: "the turn of a person's message",
  wake: 'the turn of an earlier wake',
  resume: 'a turn that continues earlier work',
};

const sentenceIn = (why: string): string => quoted(why).replace(/\.$/, '');

export type Queried = { readonly id: SessionId; readonly state: string; readonly owed: number };

/** Why a session is silent, or what it waits for. */
export function whySession({ id, state, owed }: Queried, names: Names): string {
  const it = names.session ? `Session "${quoted(names.session)}" (${id})` : `Session ${id}`;
  const holds = (names.holds ?? []).map((hold) => holdInWords(hold, id, names));
  const notices = owed === 1 ? '1 notice' : `${owed} notices`;
  const is = `${it} is ${state} and has ${owed === 0 ? 'no pending notices' : `${notices} pending`}`;
  return holds.length === 0 ? `${is}; nothing is blocking it.` : `${is}: ${holds.join('; ')}.`;
}

function whySettled(notice: Explained, standing: Settled, names: Names): string {
  const { by, rule } = standing;
  const fact = subject(notice.cause);
  const to = sessionOf(notice, names);
  const at = names.time(standing.at);
  switch (standing.state) {
    case 'delivered':
      return `${fact} was delivered to ${to} by ${printable(by)} at ${at}${inTurn(standing)}${afterFailures(standing)} (${rule}).`;
    case 'consumed':
      return `${fact} was not sent to ${to} because the agent had already seen it: \`${printable(by)}\` showed it at ${at}${inTurn(standing)} (${rule}).`;
    case 'suppressed':
      return `${fact} was not sent to ${to}: ${suppression(standing)}. That was settled at ${at} (${rule}).`;
    case 'dead':
      return `${fact} could not be delivered to ${to}: ${times(standing.attempts)} at the webhook failed, the last at ${at}: ${quoted(standing.lastFailure)} (${rule}). To try again: rouse notices retry ${notice.id}`;
  }
}

/** Each ends the sentence "It was not sent: …". */
const SUPPRESSED_BECAUSE: Record<Exclude<Suppression, 'dismissed'>, string> = {
  'session moved on': 'a person had closed or reset the session',
  policy:
    "the session's wakes policy excludes this kind of notice (to change it: rouse sessions set ID --wakes always)",
  'its turn was stopped': 'a person stopped the turn that started the process',
  'its turn ended before a step at which it could be told':
    'the turn that started the process ended before its next step, where Rouse would have delivered the notice',
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
    return `${it} creates no notices because it has no session. To be notified, start it with --session ID --notify (N2).`;
  if (process.notifyOnComplete)
    return process.state === 'ended'
      ? `${it} has ended, but Rouse has not recorded the notice yet. Try again in a moment.`
      : `${it} has not ended yet. When it ends, Rouse notifies session ${process.session} (N1).`;
  if (process.watchPatterns.length === 0)
    return `${it} creates no notices for session ${process.session} because it was started without --notify (notifyOnComplete), which reports its end, and without --watch, which reports matching lines (N2).`;
  const { state, outputBytes = 0, searched = 0 } = process;
  if (state !== 'ended') return `${it} has printed no match yet; Rouse is watching its output. ${WITHOUT_NOTIFY}`;
  return searched < outputBytes
    ? `${it} has ended. Rouse searched ${searched} bytes of its output and found no match; it did not search the other ${outputBytes - searched} bytes. ${WITHOUT_NOTIFY}`
    : `${it} has ended, and no line that it printed matched a pattern. ${WITHOUT_NOTIFY}`;
}

const WITHOUT_NOTIFY = 'Without a match, Rouse reports the end only if the process was started with --notify (N2).';

/** Which matches of a process wait to be reported, what holds them back, and until when (N14). */
export function whyHeldBack(
  process: Pick<Silent, 'id' | 'command' | 'name' | 'session'>,
  watch: Watch | undefined,
  { silentUntil, time }: Pick<Names, 'time'> & { readonly silentUntil: Instant | undefined },
): string[] {
  if (!watch || watch.kind === 'ended' || !watch.held) return [];
  const { count, silenced } = watch.held;
  const matches = `${count === 1 ? '1 match' : `${count} matches`} of \`${called(process)}\` (${process.id})`;
  if (!silenced)
    return [
      `Rouse is holding back ${matches}, because it reported another match shortly before. The next notice, or the end of the process, reports the count (W2).`,
    ];
  const until = silentUntil === undefined ? 'for a moment longer' : `until ${time(silentUntil)}`;
  return [
    `Rouse is holding back ${matches} ${until}, because too many lines matched at once. It then notifies session ${process.session} (W5).`,
  ];
}

function subject(cause: Cause): string {
  switch (cause.kind) {
    case 'completion':
      return `The end of \`${called(cause)}\` (${cause.process}, ${endInWords(cause.end)})`;
    case 'watch_match':
      return `The match of "${quoted(cause.pattern)}" in \`${called(cause)}\` (${cause.process}${cause.output && cause.end ? `, which ended: ${endInWords(cause.end)}` : ''})`;
    case 'watch_disabled':
      return `The notice that \`${called(cause)}\` (${cause.process}) is no longer watched`;
    case 'watch_overflow_tripped':
      return `The notice that too many lines matched at once (the last one of ${cause.process})`;
    case 'watch_overflow_released':
      return 'The notice that matches are reported again';
    case 'message':
      return `The message "${quoted(cause.text)}" from ${quoted(cause.from)}`;
  }
}

const sessionOf = ({ session }: Explained, names: Names): string =>
  names.session ? `session "${quoted(names.session)}"` : `session ${session}`;

const quoted = (text = 'reason unknown'): string => shortened(printable(text), 100);

const inTurn = ({ turn }: Settled): string => (turn ? ` in ${turn}` : '');

const afterFailures = ({ attempts, lastFailure }: Settled): string =>
  lastFailure === undefined ? '' : `, at attempt ${attempts}; the previous one failed: ${quoted(lastFailure)}`;

const times = (attempts: number): string => (attempts === 1 ? 'the only attempt' : `all ${attempts} attempts`);
