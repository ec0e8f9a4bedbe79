/**
 * The mailboxes of sessions: the one way in which a session changes.
 *
 *   news ──▶ its turn in the mailbox ──▶ one transaction: what `domain/admission` decides, and all that it must be
 *            remembered by (entries, notices, messages) ──▶ then what has to be done is done
 *
 *   1. News of one session are taken one after the other, on what the store holds.
 *   2. A turn exists if and only if its beginning is stored: with its cause in the journal and its notices settled.
 *   3. Dying between the commit and the doing leaves a turn that the recovery finds.
 */
import type { Clock } from '../../ports/clock.js';
import type { QuestionId, SessionId, TurnId } from '../../contract/ids.js';
import { step } from '../../domain/session/admission.js';
import type { BudgetFigures } from '../../domain/session/budget.js';
import type { AbortReason, Effect, Input } from '../../domain/session/mailbox.js';
import type { Answer, OpenQuestion } from '../../domain/session/open-question.js';
import type { NewEntry, Numbered, RunningTurn, SessionRecord, Store, Transaction } from '../../ports/store.js';
import { Alarms } from '../alarms.js';
import type { Tell } from '../events.js';
import { Inscription, type Begun, type GivenAnswer } from './inscription.js';
import type { News } from '../listeners.js';
import type { Notices } from '../notice/notices.js';
import { RETRY_MS } from '../retry.js';
import { SerialQueue } from '../serial-queue.js';

/** Who does what was decided. Everything may be asked for twice, and for a turn that is over. */
export type Company = {
  begin(begun: Begun): void;
  abort(session: SessionId, generation: number, reason: AbortReason): void;
  /** A person has said something that the running turn is not told yet. */
  spoken(session: SessionId): void;
  answered(question: QuestionId, answer: Answer): void;
};

/** News, and what is to be written down with them before anything is decided. */
export type Posting = {
  readonly inputs: readonly Input[];
  readonly entries?: readonly NewEntry[];
  /** The session as it was changed on the way: a turn that begins uses its new model. */
  readonly session?: SessionRecord | undefined;
  /** A question that the turn asks. */
  readonly asks?: OpenQuestion;
  /** What was answered, and through which door. */
  readonly answer?: GivenAnswer;
};

export type MailboxSettings = { readonly budget: BudgetFigures; readonly model: (session: SessionRecord) => string };

/** A message that is served in another way now is news to the running turn as well. */
const SPOKEN = new Set<Input['kind']>(['personSpoke', 'messageChanged']);

export class Mailboxes {
  readonly #queue = new SerialQueue<SessionId>();
  readonly #alarms: Alarms<SessionId>;
  #draining = false;
  #stopped = false;

  constructor(
    readonly store: Store,
    readonly notices: Notices,
    readonly news: News,
    readonly clock: Clock,
    readonly settings: MailboxSettings,
    readonly newTurnId: () => TurnId,
    readonly company: () => Company,
    readonly tell: Tell,
  ) {
    this.#alarms = new Alarms(clock);
  }

  /** Takes news. `prepare` runs inside the transaction and may turn them down by returning undefined. */
  post<Result>(
    id: SessionId,
    prepare: (
      transaction: Transaction,
      session: Numbered<SessionRecord>,
    ) => Promise<{ readonly posting?: Posting; readonly result: Result }>,
  ): Promise<Result | 'unknown'> {
    return this.#queue.run(id, async () => {
      const done = await this.store.transact(async (transaction) => {
        const stored = await transaction.sessions.get(id);
        if (!stored) return undefined;
        const session = this.#onThisHost(stored);
        const { posting, result } = await prepare(transaction, session);
        return { result, written: posting && (await this.#write(transaction, session, posting)) };
      });
      if (!done) return 'unknown';
      if (done.written) this.#perform(id, done.written);
      return done.result;
    });
  }

  /** The same for news that need no preparation. */
  async tellOf(id: SessionId, ...inputs: readonly Input[]): Promise<void> {
    await this.post(id, async () => ({ posting: { inputs }, result: undefined }));
  }

  /** A turn that another host has begun goes on in this one, as it is stored. */
  goOn(session: SessionRecord, turn: RunningTurn): void {
    this.company().begin({ session, turn, model: this.settings.model(session) });
  }

  /** From here on nothing begins on this host; what comes is kept for the next one. */
  drain(): void {
    this.#draining = true;
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** Draining is a matter of this host, and is not remembered of a session. */
  #onThisHost<Session extends SessionRecord>(session: Session): Session {
    const { mailbox } = session;
    return this.#draining && mailbox.life === 'open'
      ? { ...session, mailbox: { ...mailbox, life: 'draining' } }
      : session;
  }

  /** Over when everything that was posted is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#alarms.stop();
    await this.#queue.idle();
  }

  async #write(transaction: Transaction, session: SessionRecord, posting: Posting): Promise<Inscription> {
    const { budget, model } = this.settings;
    const inscription = new Inscription(transaction, session, {
      now: this.clock.now(),
      model: model(posting.session ?? session),
      newTurnId: this.newTurnId,
      ...(posting.answer && { answer: posting.answer }),
    });
    if (posting.asks) inscription.ask(posting.asks);
    await inscription.append(posting.entries ?? []);
    const waiting = [...posting.inputs];
    for (let input = waiting.shift(); input; input = waiting.shift()) {
      const { state, effects } = step(inscription.mailbox, input, this.clock.now(), budget);
      inscription.mailbox = state;
      for (const effect of effects) waiting.push(...(await inscription.take(effect)));
    }
    inscription.spoke = !inscription.begun && posting.inputs.some(({ kind }) => SPOKEN.has(kind));
    await inscription.finish();
    return inscription;
  }

  #perform(id: SessionId, { effects, begun, settled, answers, spoke }: Inscription): void {
    this.news.notify(id);
    this.notices.announceSettled(settled);
    if (this.#stopped) return;
    const company = this.company();
    for (const effect of effects) this.#do(id, effect, company);
    for (const { question, answer } of answers) company.answered(question, answer);
    if (spoke) company.spoken(id);
    if (begun) company.begin(begun);
  }

  #do(id: SessionId, effect: Effect, company: Company): void {
    if (effect.kind === 'abortTurn') company.abort(id, effect.generation, effect.reason);
    if (effect.kind === 'wakeAt') this.#lookIn(effect.at - this.clock.now(), id);
  }

  /** Nothing new: whoever may begin, begins. */
  look(id: SessionId): void {
    this.tellOf(id, { kind: 'looked' }).catch((error: unknown) => {
      this.tell({ kind: 'fault', during: `looking at the mailbox of ${id}`, error });
      this.#lookIn(RETRY_MS, id);
    });
  }

  #lookIn(ms: number, id: SessionId): void {
    this.#alarms.set(id, ms, () => this.look(id));
  }
}
