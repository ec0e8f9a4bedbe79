/**
 * The mailboxes of sessions: the one way in which a session changes.
 *
 *   post ──▶ its place in the queue ──▶ one transaction: what `domain/session/admission` decides, and all that has to be
 *            stored with it (entries, notices, messages) ──▶ then the effects are performed
 *
 *   1. The postings of one session run one after the other, on what the store holds.
 *   2. A turn exists if and only if its beginning is stored: with its cause in the journal and its notices settled.
 *   3. A crash between the commit and the effects leaves a turn that the recovery finds.
 */
import type { Clock } from '../../ports/clock.js';
import type { QuestionId, SessionId, TurnId } from '../../contract/ids.js';
import type { EntryBody } from '../../contract/journal.js';
import type { BudgetFigures } from '../../domain/session/budget.js';
import { isRunning, type AbortReason, type Input } from '../../domain/session/mailbox.js';
import type { Answer } from '../../domain/session/open-question.js';
import { refuse, type Refusal } from '../../contract/refusal.js';
import type { NewEntry, Numbered, RunningTurn, SessionRecord, Store, Transaction } from '../../ports/store.js';
import { Alarms } from '../alarms.js';
import type { Tell } from '../events.js';
import { MailboxTransaction, type Begun, type Posting } from './mailbox-transaction.js';
import type { News } from '../listeners.js';
import type { Notices } from '../notice/notices.js';
import { RETRY_MS } from '../retry.js';
import { SerialQueue } from '../serial-queue.js';

/** Performs effects. Each may be asked for twice, and for a turn that is over. */
export type TurnRunner = {
  begin(begun: Begun): void;
  abort(session: SessionId, generation: number, reason: AbortReason): void;
  /** A person sent a message that the running turn has not seen yet. */
  spoken(session: SessionId): void;
  answered(question: QuestionId, answer: Answer): void;
};

export type MailboxParts = {
  readonly store: Store;
  readonly notices: Notices;
  readonly news: News;
  readonly clock: Clock;
  readonly budget: BudgetFigures;
  readonly modelOf: (session: SessionRecord) => string;
  readonly newTurnId: () => TurnId;
  readonly runner: () => TurnRunner;
  readonly tell: Tell;
};

export class Mailboxes {
  readonly #queue = new SerialQueue<SessionId>();
  readonly #alarms: Alarms<SessionId>;
  #draining = false;
  #stopped = false;

  constructor(readonly parts: MailboxParts) {
    this.#alarms = new Alarms(parts.clock);
  }

  /** `prepare` runs inside the transaction and may refuse by returning no posting. */
  post<Result>(
    id: SessionId,
    prepare: (
      transaction: Transaction,
      session: Numbered<SessionRecord>,
    ) => Promise<{ readonly posting?: Posting | undefined; readonly result: Result }>,
  ): Promise<Result | Refusal> {
    return this.#queue.run(id, async () => {
      const done = await this.parts.store.transact(async (transaction) => {
        const session = await transaction.sessions.get(id);
        if (!session) return undefined;
        const { posting, result } = await prepare(transaction, session);
        return { result, written: posting && (await this.#write(transaction, session, posting)) };
      });
      if (!done) return refuse('not-found', `There is no session ${id}.`);
      if (done.written) this.#perform(id, done.written);
      return done.result;
    });
  }

  /** Posts what needs no preparation. */
  async send(id: SessionId, inputs: readonly Input[], entries: readonly NewEntry[] = []): Promise<void> {
    await this.post(id, async () => ({ posting: { inputs, entries }, result: undefined }));
  }

  /** Posts entries of a running turn. Returns false, and stores nothing, once the turn is over or being ended (T7). */
  async postFrom(
    id: SessionId,
    turn: RunningTurn,
    bodies: readonly EntryBody[],
    also?: (transaction: Transaction) => Promise<Partial<Posting>>,
  ): Promise<boolean> {
    const at = this.parts.clock.now();
    const posted = await this.post(id, async (transaction, { mailbox }) => {
      if (!isRunning(mailbox, turn.generation)) return { result: false };
      const entries = bodies.map((body) => ({ turn: turn.id, at, body }));
      return { result: true, posting: { inputs: [], entries, ...(await also?.(transaction)) } };
    });
    return posted === true;
  }

  /** Continues a turn that another host began, as it is stored. */
  resume(session: SessionRecord, turn: RunningTurn): void {
    this.parts.runner().begin({ session, turn, model: this.parts.modelOf(session) });
  }

  /** From here on nothing begins on this host; what comes is stored for the next one. */
  drain(): void {
    this.#draining = true;
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** Resolves when everything that was posted is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#alarms.stop();
    await this.#queue.idle();
  }

  /** Begins what may begin. */
  look(id: SessionId): void {
    this.send(id, [{ kind: 'looked' }]).catch((error: unknown) => {
      this.parts.tell({ kind: 'fault', during: `looking at the mailbox of ${id}`, error });
      this.#lookIn(RETRY_MS, id);
    });
  }

  async #write(transaction: Transaction, session: SessionRecord, posting: Posting): Promise<MailboxTransaction> {
    const { clock, budget, modelOf, newTurnId } = this.parts;
    const around = { now: clock.now(), budget, draining: this.#draining };
    const model = modelOf(posting.session ?? session);
    const written = new MailboxTransaction(transaction, session, posting, { ...around, model, newTurnId });
    await written.write();
    return written;
  }

  #perform(id: SessionId, { effects, begun, settled, answers, isSpeech }: MailboxTransaction): void {
    const { news, notices, clock } = this.parts;
    news.notify(id);
    notices.announceSettled(settled);
    if (this.#stopped) return;
    const runner = this.parts.runner();
    for (const effect of effects) {
      if (effect.kind === 'abortTurn') runner.abort(id, effect.generation, effect.reason);
      if (effect.kind === 'wakeAt') this.#lookIn(effect.at - clock.now(), id);
    }
    for (const { question, answer } of answers) runner.answered(question, answer);
    if (begun) runner.begin(begun);
    else if (isSpeech) runner.spoken(id);
  }

  #lookIn(ms: number, id: SessionId): void {
    this.#alarms.set(id, ms, () => this.look(id));
  }
}
