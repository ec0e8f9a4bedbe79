/** What people do with a session: send messages, stop, answer, reset, resume. */
import { type MessageChanges, whyNotOpen } from '../../contract/message.js';
import type { MessageId, NoticeId, QuestionId, SessionId } from '../../contract/ids.js';
import type { Entry, Mode } from '../../contract/journal.js';
import { refuse, type Refusal } from '../../contract/refusal.js';
import type { Hold } from '../../domain/notice/why.js';
import { holdsOn } from '../../domain/session/holds.js';
import { dispositionOf, type Disposition, type Input } from '../../domain/session/mailbox.js';
import { isUnfinished, TAIL_ENTRIES, tailOf } from '../../domain/session/resume.js';
import { unanswered, type OpenQuestion } from '../../domain/session/open-question.js';
import { titleFrom } from '../../domain/session/names.js';
import type { MessageRecord, SessionRecord, Transaction } from '../../ports/store.js';
import type { GivenAnswer } from './mailbox-transaction.js';
import type { Mailboxes } from './mailboxes.js';

export type Spoken = {
  readonly text: string;
  readonly mode: Mode;
  readonly key?: string | undefined;
  readonly from: string;
};

type Answered = { readonly outcome: 'answered' };

/** How many entries are searched for the outcome of a question. */
const LOOKED_AT = 1_000;

export type Sent = {
  readonly message: MessageRecord;
  readonly disposition: Disposition | 'duplicate';
  /** Sentences that the sender should know. */
  readonly notes?: readonly string[];
};

const STOPPING =
  'This host is stopping. The message is stored, and the next host serves it unless the running turn still does.';

export class Conversation {
  constructor(
    readonly mailboxes: Mailboxes,
    readonly newMessageId: () => MessageId,
    readonly redact: (text: string) => string,
  ) {}

  /** The host is stopping: nothing begins, and messages are stored for the next host. */
  get draining(): boolean {
    return this.mailboxes.draining;
  }

  /** What holds back the notices of the session, or this one notice. */
  async holdsOn(session: SessionRecord, notice?: NoticeId): Promise<readonly Hold[]> {
    const { store, clock, budget } = this.mailboxes.parts;
    const owed = await store.notices.owedTo(session.id);
    return holdsOn(session, { now: clock.now(), budget, draining: this.draining, owed }, notice);
  }

  /** The message is stored before this returns: it is neither lost nor taken twice. */
  async say(session: SessionId, { text, mode, key, from }: Spoken): Promise<Sent | Refusal> {
    const at = this.mailboxes.parts.clock.now();
    return this.mailboxes.post<Sent | Refusal>(session, async (transaction, { mailbox, agent, title }) => {
      const known = key === undefined ? undefined : await transaction.messages.byKey(session, key);
      if (known)
        return {
          result: known.text === text ? { message: known, disposition: 'duplicate' } : keyTaken(session, known),
        };
      if (mailbox.life === 'closed') return { result: closed(session) };
      if (agent === 'none') return { result: noAgent(session) };
      const message: MessageRecord = {
        id: this.newMessageId(),
        session,
        text,
        mode,
        from,
        ...(key !== undefined && { key }),
        at,
        state: 'waiting',
      };
      await transaction.messages.insert(message);
      const name = title === undefined ? titleFrom(text, this.redact) : undefined;
      if (name) await transaction.sessions.update(session, { title: name });
      const posting = { inputs: [{ kind: 'personSpoke', message: message.id, mode } as const] };
      const notes = this.draining ? { notes: [STOPPING] } : {};
      return { posting, result: { message, disposition: dispositionOf(mailbox, mode, this.draining), ...notes } };
    });
  }

  /** Changes the text or the mode of a waiting message. */
  change(session: SessionId, id: MessageId, { text, mode }: MessageChanges): Promise<MessageRecord | Refusal> {
    return this.#whileItWaits(session, id, async ({ messages }) => {
      await messages.update(id, { ...(text !== undefined && { text }), ...(mode && { mode }) });
      return mode ? [{ kind: 'messageChanged', message: id, mode }] : [];
    });
  }

  /** Takes back a waiting message. */
  withdraw(session: SessionId, id: MessageId): Promise<MessageRecord | Refusal> {
    return this.#whileItWaits(session, id, async () => [{ kind: 'messageWithdrawn', message: id }]);
  }

  /** The message as it is afterwards. */
  async #whileItWaits(
    session: SessionId,
    id: MessageId,
    change: (transaction: Transaction) => Promise<readonly Input[]>,
  ): Promise<MessageRecord | Refusal> {
    const refused = await this.mailboxes.post<Refusal | undefined>(session, async (transaction) => {
      const message = await transaction.messages.get(id);
      if (message?.session !== session) return { result: noMessage(session, id) };
      if (message.state !== 'waiting') return { result: served(message) };
      return { posting: { inputs: await change(transaction) }, result: undefined };
    });
    return refused ?? (await this.mailboxes.parts.store.messages.get(id)) ?? noMessage(session, id);
  }

  /** Ends the running turn; its processes keep running. */
  async stop(session: SessionId): Promise<{ readonly outcome: 'stopped' | 'nothing-runs' } | Refusal> {
    return this.mailboxes.post(session, async (_, { mailbox }) => ({
      posting: { inputs: [{ kind: 'stopAsked' }] },
      result: { outcome: mailbox.turn ? ('stopped' as const) : ('nothing-runs' as const) },
    }));
  }

  /** The first answer counts, and only for the question that it names. A process never approves. */
  async answer(session: SessionId, question: QuestionId, answer: GivenAnswer): Promise<Answered | Refusal> {
    return this.mailboxes.post<Answered | Refusal>(session, async ({ journal }, { mailbox, turn }) => {
      const { phase } = mailbox.turn ?? {};
      if (phase?.kind !== 'waiting' || !phase.questions.includes(question)) {
        const entries = await journal.before(session, Number.MAX_SAFE_INTEGER, LOOKED_AT);
        return { result: notOpen(session, question, entries) };
      }
      const about = turn?.asked?.find((open) => open.question === question)?.about;
      if (answer.via.kind === 'process' && about?.kind !== 'clarify') return { result: onlyPeople(answer.via.id) };
      const inputs = [{ kind: 'questionAnswered', question } as const];
      return { posting: { inputs, answer }, result: { outcome: 'answered' } };
    });
  }

  /** The waiting questions, exactly as they were asked, for the people who answer them. */
  async questions(session: SessionId): Promise<readonly OpenQuestion[]> {
    return unanswered((await this.mailboxes.parts.store.sessions.get(session))?.turn?.asked ?? []);
  }

  /** Settles what is owed for what came before, and lifts a pause of wakes. */
  async reset(session: SessionId): Promise<{ readonly outcome: 'reset' } | Refusal> {
    const at = this.mailboxes.parts.clock.now();
    const body = { kind: 'note', about: 'moved', text: 'A person reset the session.' } as const;
    return this.mailboxes.post(session, async () => ({
      posting: { inputs: [{ kind: 'reset' }], entries: [{ at, body }] },
      result: { outcome: 'reset' as const },
    }));
  }

  /** Lifts a pause of wakes, after the work that a failed turn or a restart left unfinished. */
  async resume(session: SessionId): Promise<{ readonly outcome: 'resumed' | 'nothing-to-resume' } | Refusal> {
    return this.mailboxes.post(session, async ({ journal }, { mailbox }) => {
      const tail = tailOf(await journal.before(session, Number.MAX_SAFE_INTEGER, TAIL_ENTRIES));
      const unfinished = mailbox.life !== 'closed' && !mailbox.turn && isUnfinished(tail);
      const outcome = mailbox.pause || unfinished ? ('resumed' as const) : ('nothing-to-resume' as const);
      return { posting: { inputs: [{ kind: 'resumeAsked', unfinished }] }, result: { outcome } };
    });
  }
}

const closed = (session: SessionId): Refusal =>
  refuse('session-closed', `Session ${session} is closed. Nothing was sent.`);
const noAgent = (session: SessionId): Refusal =>
  refuse('no-agent', `Session ${session} has no agent to answer. Nothing was sent.`);
const keyTaken = (session: SessionId, { key, id }: MessageRecord): Refusal =>
  refuse(
    'key-taken',
    `Message ${id} of session ${session} already uses key "${key}" with a different text. Nothing was sent; use a new key for a new message.`,
  );
const noMessage = (session: SessionId, id: MessageId): Refusal =>
  refuse('not-found', `There is no message ${id} in session ${session}.`);
const served = ({ id, state }: MessageRecord): Refusal =>
  refuse('already-settled', `Message ${id} is no longer waiting: it is ${state}. Nothing was changed.`);
const onlyPeople = (process: string): Refusal =>
  refuse('inside-process', `Only a person approves a command, and this answer comes from process ${process}.`);

function notOpen(session: SessionId, question: QuestionId, entries: readonly Entry[]): Refusal {
  const why = whyNotOpen(question, entries);
  return why === undefined
    ? refuse(
        'not-found',
        `There is no question ${question} in session ${session}. See what waits: rouse show ${session}`,
      )
    : refuse('already-settled', `Question ${question} is no longer open: ${why}.`);
}
