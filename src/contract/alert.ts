/**
 * Alerts for people who are not looking at the page: one per fact, in plain text. The host that pushes an alert and the
 * tab that shows it compute the same words and the same tag, so a person sees a fact once.
 *
 *   1. An answer alerts when its turn is over, unless it says nothing.
 *   2. A question or a failure alerts unless the session's policy is `off`.
 *   3. A turn that a person ended causes no alert.
 *   4. A notice alerts only where no agent is woken by it and no webhook receives it.
 */
import type { SessionId, TurnId } from './ids.js';
import type { EntryBody } from './journal.js';
import type { NoticeView, PeoplePolicy } from './notice.js';
import { printable, shortened } from './display.js';

/** `seq` is the number of its entry or notice: a person who has seen the session up to there does not need it. */
export type Alert = {
  readonly seq: number;
  readonly title: string;
  readonly body: string;
  /** Names the fact: a browser shows two alerts with one tag once. */
  readonly tag: string;
  /** Where the page shows it. */
  readonly url: string;
};

/** An entry in either of its forms, stored or sent. */
export type Written = EntryBody & {
  readonly seq: number;
  readonly session: SessionId;
  readonly turn?: TurnId | undefined;
};

export type Admitted = Pick<NoticeView, 'session' | 'seq' | 'state' | 'reason' | 'attempts' | 'line' | 'people'>;

/** The session that a fact belongs to. */
export type Owner = {
  readonly title?: string;
  readonly agent: string;
  readonly people: PeoplePolicy;
  readonly webhook?: object | undefined;
};

type Matter = 'answer' | 'question' | 'trouble';
type Fact = { readonly matter: Matter; readonly seq: number; readonly text: string };

/** How many earlier entries are needed to decide about one. */
export const LOOK_BACK = 10;

const TITLE_CHARACTERS = 80;
const BODY_CHARACTERS = 240;
/** Long enough that secrets in the first words are found whole. */
const LOOKED_AT = 4_000;

const HEARD: Record<PeoplePolicy, readonly Matter[]> = {
  all: ['answer', 'question', 'trouble'],
  result: ['answer', 'question', 'trouble'],
  error: ['question', 'trouble'],
  off: [],
};

/** A quick check before the entries around it are read. */
export const mayAlert = ({ kind }: { readonly kind: EntryBody['kind'] }): boolean =>
  kind === 'question' || kind === 'turnEnded' || kind === 'note';

const asItIs = (text: string): string => text;

/** `before` are the last entries of the session before it, oldest first. */
export function alertForEntry(
  entry: Written,
  before: readonly Written[],
  owner: Owner,
  redact = asItIs,
): Alert | undefined {
  const fact = factIn(entry, before);
  return fact && HEARD[owner.people].includes(fact.matter)
    ? alert(entry.session, fact.seq, owner, redact(fact.text.slice(0, LOOKED_AT)))
    : undefined;
}

/** Only as it was admitted: what becomes of it later is no news. */
export function alertForNotice(notice: Admitted, owner: Owner): Alert | undefined {
  const waitsForPeople =
    notice.state === 'pending' && notice.attempts === 0 && owner.agent === 'none' && !owner.webhook;
  const keptFromAgent = notice.state === 'suppressed' && notice.reason === 'policy';
  return notice.people && (waitsForPeople || keptFromAgent)
    ? alert(notice.session, notice.seq, owner, notice.line)
    : undefined;
}

function factIn(entry: Written, before: readonly Written[]): Fact | undefined {
  if (entry.kind === 'question') return { matter: 'question', seq: entry.seq, text: asked(entry) };
  if (entry.kind === 'turnEnded') return ended(entry, before);
  return entry.kind === 'note' ? noted(entry, before) : undefined;
}

const asked = ({ text, about }: Extract<Written, { kind: 'question' }>): string =>
  about.kind === 'approval'
    ? `May the agent run this? ${shortened(printable(about.command), COMMAND_CHARACTERS)} ${NOT_ALL}`
    : text;

/** A push goes through a third party: it contains the redacted beginning of a command, and says so. */
const NOT_ALL = '(redacted and shortened; see the exact command on the page)';
const COMMAND_CHARACTERS = 140;

function ended(
  { seq, turn, reason, why }: Extract<Written, { kind: 'turnEnded' }>,
  before: readonly Written[],
): Fact | undefined {
  if (reason === 'failed') return { matter: 'trouble', seq, text: `The turn failed: ${why ?? 'no reason was given'}` };
  if (reason === 'stepLimit')
    return { matter: 'trouble', seq, text: `Rouse ended the turn: ${why ?? 'it took too many steps'}` };
  // A person ended it, or another turn took its place.
  if (reason !== 'finished') return undefined;
  const last = before.findLast((entry) => entry.kind === 'text' && entry.turn === turn);
  if (last?.kind !== 'text' || last.silent) return undefined;
  return { matter: 'answer', seq: last.seq, text: withoutMarks(last.text) };
}

function noted({ seq, about, text }: Extract<Written, { kind: 'note' }>, before: readonly Written[]): Fact | undefined {
  // After a failed turn, a pause would say the same once more.
  const isNews = about === 'notResumed' || (about === 'paused' && before.at(-1)?.kind !== 'turnEnded');
  return isNews ? { matter: 'trouble', seq, text } : undefined;
}

/** Without the most common marks of Markdown. */
const withoutMarks = (text: string): string =>
  text
    .slice(0, LOOKED_AT)
    .replaceAll(/^ {0,3}(?:#{1,6} |> ?|```.*$)/gm, '')
    .replaceAll(/\*\*|`/g, '');

function alert(session: SessionId, seq: number, { title }: Owner, text: string): Alert | undefined {
  const body = oneLine(text, BODY_CHARACTERS);
  if (body === '') return undefined;
  return {
    seq,
    title: oneLine(title ?? '', TITLE_CHARACTERS) || 'Rouse',
    body,
    tag: `${session}-${seq}`,
    url: `/#/sessions/${session}`,
  };
}

const oneLine = (text: string, characters: number): string =>
  shortened(printable(text).replaceAll(/\s+/g, ' '), characters);
