/**
 * What people are told who do not look at the page: one word a fact, in plain text. The host that pushes it and the tab
 * that shows it find the same words and the same tag, so that a fact told by both is seen once.
 *
 *   1. The answer of a turn is told when the turn is over; an answer that says nothing is told to nobody.
 *   2. A question, and whatever went wrong, is told where people want to hear of anything at all.
 *   3. What a person ended himself is no news to him.
 *   4. A notice is told where nobody else will speak of it: no agent that is woken by it, no webhook.
 */
import type { SessionId, TurnId } from './ids.js';
import type { EntryBody } from './journal.js';
import type { NoticeState, PeoplePolicy } from './notice.js';
import { printable, shortened } from './words.js';

/** `seq` is the number of the entry or notice that it tells: whoever has seen that far needs it no more. */
export type Word = {
  readonly seq: number;
  readonly title: string;
  readonly body: string;
  /** Names the fact: two words with one tag are one notification. */
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

export type Admitted = {
  readonly session: SessionId;
  readonly seq: number;
  readonly state: NoticeState;
  readonly reason?: string | undefined;
  readonly attempts: number;
  readonly line: string;
  readonly people: boolean;
};

/** The session that a fact belongs to. */
export type Owner = {
  readonly title?: string;
  readonly agent: string;
  readonly people: PeoplePolicy;
  readonly webhook?: object | undefined;
};

type Matter = 'answer' | 'question' | 'trouble';
type Fact = { readonly matter: Matter; readonly seq: number; readonly text: string };

/** How many entries before it are needed to tell what an entry means. */
export const LOOK_BACK = 10;

const TITLE_CHARACTERS = 80;
const BODY_CHARACTERS = 240;
/** Enough to find the secrets among the first words whole. */
const LOOKED_AT = 4_000;

const HEARD: Record<PeoplePolicy, readonly Matter[]> = {
  all: ['answer', 'question', 'trouble'],
  result: ['answer', 'question', 'trouble'],
  error: ['question', 'trouble'],
  off: [],
};

/** What may be worth a word, told by a glimpse: for everything else nobody needs to look further. */
export const mayBeWorthAWord = ({ kind }: { readonly kind: EntryBody['kind'] }): boolean =>
  kind === 'question' || kind === 'turnEnded' || kind === 'note';

const asItIs = (text: string): string => text;

/** `before` are the last entries of the session before it, oldest first. */
export function wordOnEntry(
  entry: Written,
  before: readonly Written[],
  owner: Owner,
  redact = asItIs,
): Word | undefined {
  const fact = factIn(entry, before);
  return fact && HEARD[owner.people].includes(fact.matter)
    ? word(entry.session, fact.seq, owner, redact(fact.text.slice(0, LOOKED_AT)))
    : undefined;
}

/** Only as it was admitted: what becomes of it later is no news. */
export function wordOnNotice(notice: Admitted, owner: Owner): Word | undefined {
  const waitsForPeople =
    notice.state === 'pending' && notice.attempts === 0 && owner.agent === 'none' && !owner.webhook;
  const keptFromAgent = notice.state === 'suppressed' && notice.reason === 'policy';
  return notice.people && (waitsForPeople || keptFromAgent)
    ? word(notice.session, notice.seq, owner, notice.line)
    : undefined;
}

function factIn(entry: Written, before: readonly Written[]): Fact | undefined {
  const { seq } = entry;
  switch (entry.kind) {
    case 'question':
      return { matter: 'question', seq, text: asked(entry) };
    case 'turnEnded':
      return ended(entry, before);
    case 'note':
      return noted(entry, before);
    case 'message':
    case 'text':
    case 'reasoning':
    case 'toolCall':
    case 'toolResult':
    case 'wake':
    case 'turnBegan':
    case 'answer':
    case 'compaction':
      return undefined;
  }
}

const asked = ({ text, about }: Extract<Written, { kind: 'question' }>): string =>
  about.kind === 'approval'
    ? `May it run this? ${shortened(printable(about.command), COMMAND_CHARACTERS)} ${NOT_ALL}`
    : text;

/** A push goes through a service of somebody else: it has the redacted beginning of a command, and says so. */
const NOT_ALL = '(redacted and shortened; see the exact command on the page)';
const COMMAND_CHARACTERS = 140;

function ended(
  { seq, turn, reason, why }: Extract<Written, { kind: 'turnEnded' }>,
  before: readonly Written[],
): Fact | undefined {
  switch (reason) {
    case 'finished': {
      const last = before.findLast((entry) => entry.kind === 'text' && entry.turn === turn);
      if (last?.kind !== 'text' || last.silent) return undefined;
      return { matter: 'answer', seq: last.seq, text: withoutMarks(last.text) };
    }
    case 'failed':
      return { matter: 'trouble', seq, text: `The turn failed: ${why ?? 'nobody said why'}` };
    case 'stepLimit':
      return { matter: 'trouble', seq, text: `The turn was ended: ${why ?? 'it took too many steps'}` };
    case 'stopped':
    case 'interrupted':
    case 'superseded':
      return undefined;
  }
}

function noted({ seq, about, text }: Extract<Written, { kind: 'note' }>, before: readonly Written[]): Fact | undefined {
  switch (about) {
    case 'notResumed':
      return { matter: 'trouble', seq, text };
    case 'paused':
      // Behind a turn that failed it says the same once more.
      return before.at(-1)?.kind === 'turnEnded' ? undefined : { matter: 'trouble', seq, text };
    case 'resumed':
    case 'recovery':
    case 'digest':
    case 'moved':
    case 'unfamiliar':
      return undefined;
  }
}

/** The commonest marks of Markdown, which only stand in the way of the first words. */
const withoutMarks = (text: string): string =>
  text
    .slice(0, LOOKED_AT)
    .replaceAll(/^ {0,3}(?:#{1,6} |> ?|```.*$)/gm, '')
    .replaceAll(/\*\*|`/g, '');

function word(session: SessionId, seq: number, { title }: Owner, text: string): Word | undefined {
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
