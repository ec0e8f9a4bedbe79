/** One transaction of a mailbox: stores every decision together with what has to be stored with it. */
import type { MessageId, NoticeId, QuestionId, TurnId } from '../../contract/ids.js';
import type { AnsweredVia, EntryBody, WakeCause } from '../../contract/journal.js';
import { asDelivered, mayGoStale } from '../../domain/notice/notice-block.js';
import { step } from '../../domain/session/admission.js';
import type { Around, Effect, Input, Mailbox } from '../../domain/session/mailbox.js';
import { withAnswer, withoutCalls, type Answer, type OpenQuestion } from '../../domain/session/open-question.js';
import { delivered, suppressed, type Standing } from '../../domain/notice/settle.js';
import type {
  MessageRecord,
  NewEntry,
  NoticeRecord,
  RunningTurn,
  SessionRecord,
  Transaction,
} from '../../ports/store.js';

/** A turn whose beginning is stored. */
export type Begun = { readonly session: SessionRecord; readonly turn: RunningTurn; readonly model: string };

type Given = Around & { readonly model: string; readonly newTurnId: () => TurnId };

export type GivenAnswer = { readonly text: string; readonly via: AnsweredVia };

/** Inputs, and what is stored with them before anything is decided. */
export type Posting = {
  readonly inputs: readonly Input[];
  readonly entries?: readonly NewEntry[];
  /** The session with the changes of this transaction: a turn that begins uses its new model. */
  readonly session?: SessionRecord | undefined;
  /** A question that the turn asks. */
  readonly asks?: OpenQuestion;
  /** What was answered, and through which channel. */
  readonly answer?: GivenAnswer;
  /** Notices that were settled on the way. */
  readonly settled?: readonly NoticeRecord[];
};

/** Inputs that a running turn should notice: a person sent a message, or changed how it is served. */
const SPEECH = new Set<Input['kind']>(['personSpoke', 'messageChanged']);

export class MailboxTransaction {
  mailbox: Mailbox;
  begun: Begun | undefined;
  readonly effects: Effect[] = [];
  readonly settled: NoticeRecord[];
  readonly answers: { readonly question: QuestionId; readonly answer: Answer }[] = [];
  #turn: RunningTurn | undefined;

  constructor(
    readonly transaction: Transaction,
    readonly session: SessionRecord,
    readonly posting: Posting,
    readonly given: Given,
  ) {
    this.mailbox = session.mailbox;
    this.#turn = session.turn;
    this.settled = [...(posting.settled ?? [])];
  }

  get isSpeech(): boolean {
    return this.posting.inputs.some(({ kind }) => SPEECH.has(kind));
  }

  async write(): Promise<void> {
    const { asks, entries = [], inputs } = this.posting;
    if (asks) this.#setAsked([...(this.#turn?.asked ?? []), asks]);
    await this.#append(entries);
    const waiting = [...inputs];
    for (let input = waiting.shift(); input; input = waiting.shift()) {
      const { state, effects } = step(this.mailbox, input, this.given);
      this.mailbox = state;
      for (const effect of effects) waiting.push(...(await this.#take(effect)));
    }
    await this.#finish();
  }

  /** A call that has its result waits for no answer any more. */
  async #append(entries: readonly NewEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await this.transaction.journal.append(this.session.id, entries);
    const over = entries.flatMap(({ body }) => (body.kind === 'toolResult' ? [body.call] : []));
    const { asked } = this.#turn ?? {};
    if (asked?.some(({ call }) => over.includes(call.id))) this.#setAsked(withoutCalls(asked, over));
  }

  /** Stored exactly, for the person who answers and for the host that continues the turn. */
  #setAsked(asked: readonly OpenQuestion[]): void {
    if (!this.#turn) return;
    const { asked: _before, ...turn } = this.#turn;
    this.#turn = asked.length > 0 ? { ...turn, asked } : turn;
  }

  /** Stores what an effect means. The outcome may be another input. */
  async #take(effect: Effect): Promise<readonly Input[]> {
    this.effects.push(effect);
    switch (effect.kind) {
      case 'beginTurn':
        return this.#beginTurn(effect);
      case 'tellAtStep':
        await this.#speak(effect.messages, 'told');
        await this.#wake(effect.notices, { midTurn: true });
        return [];
      case 'suppressNotices':
        await this.#settle(effect.notices, (standing) => suppressed(standing, effect.reason, this.given.now));
        return [];
      case 'dropMessages':
        await this.#mark(effect.messages, 'dropped');
        return [];
      case 'withdrawMessage':
        await this.#mark([effect.message], 'withdrawn');
        return [];
      case 'answerQuestion':
        await this.#answer(effect);
        return [];
      case 'pause':
        await this.#note({
          kind: 'note',
          about: 'paused',
          text: `Wakes are paused: ${effect.why.replace(/\.$/, '')}.`,
        });
        return [];
      case 'abortTurn':
      case 'wakeAt':
        return [];
    }
  }

  async #finish(): Promise<void> {
    const { id, mailbox, turn } = this.session;
    if (this.mailbox === mailbox && this.#turn === turn) return;
    const running = this.mailbox.turn ? this.#turn : undefined;
    await this.transaction.sessions.update(id, {
      mailbox: this.mailbox,
      turn: running ?? null,
      updatedAt: this.given.now,
    });
  }

  async #beginTurn(effect: Extract<Effect, { kind: 'beginTurn' }>): Promise<readonly Input[]> {
    const { generation, by } = effect;
    const owed = effect.by === 'wake' ? await this.#stillOwed(effect.notices) : [];
    if (effect.by === 'wake' && owed.length === 0) return [{ kind: 'wakeNotBegun', generation }];
    // A resumed turn first continues with the calls that had their answers.
    const asked = by === 'resume' ? this.#turn?.asked : undefined;
    this.#turn = { id: this.given.newTurnId(), generation, ...(asked && { asked }) };
    await this.#note({ kind: 'turnBegan', generation, by, model: this.given.model });
    if (effect.by === 'person') await this.#speak(effect.messages, 'begun');
    if (effect.by === 'wake') await this.#wake(owed, effect.heldBack > 0 ? { heldBack: effect.heldBack } : {});
    this.begun = { session: this.session, turn: this.#turn, model: this.given.model };
    return [];
  }

  async #stillOwed(notices: readonly NoticeId[]): Promise<readonly NoticeId[]> {
    const owed: NoticeId[] = [];
    for (const id of notices) if ((await this.transaction.notices.get(id))?.standing.kind === 'pending') owed.push(id);
    return owed;
  }

  /** Both or neither: the causes are in the journal, and their notices are settled. */
  async #wake(notices: readonly NoticeId[], how: { heldBack?: number; midTurn?: true }): Promise<void> {
    const told = await this.#settle(notices, (standing) =>
      delivered(standing, this.session.agent, this.given.now, this.#turn?.id),
    );
    const causes: WakeCause[] = [];
    for (const { id, process, cause } of told) {
      const about = process && mayGoStale(cause) ? await this.transaction.processes.get(process) : undefined;
      causes.push({ notice: id, ...asDelivered(cause, about) });
    }
    if (causes.length > 0) await this.#note({ kind: 'wake', causes, ...how });
  }

  async #settle(notices: readonly NoticeId[], how: (standing: Standing) => Standing | string): Promise<NoticeRecord[]> {
    const changed: NoticeRecord[] = [];
    for (const id of notices) {
      const notice = await this.transaction.notices.get(id);
      const standing = notice && how(notice.standing);
      if (!notice || !standing || typeof standing === 'string') continue;
      await this.transaction.notices.update(id, standing);
      changed.push({ ...notice, standing });
    }
    this.settled.push(...changed);
    return changed;
  }

  async #speak(messages: readonly MessageId[], state: MessageRecord['state']): Promise<void> {
    for (const message of await this.#mark(messages, state)) {
      const { id, text, mode, from } = message;
      await this.#note({ kind: 'message', message: id, text, mode, from });
    }
  }

  async #mark(messages: readonly MessageId[], state: MessageRecord['state']): Promise<readonly MessageRecord[]> {
    const marked: MessageRecord[] = [];
    for (const id of messages) {
      const message = await this.transaction.messages.get(id);
      if (!message || message.state !== 'waiting') continue;
      await this.transaction.messages.update(id, { state });
      marked.push(message);
    }
    return marked;
  }

  async #answer({ question, by }: Extract<Effect, { kind: 'answerQuestion' }>): Promise<void> {
    const { text = '', via } = this.posting.answer ?? {};
    const answer: Answer = by === 'person' ? { by, text } : { by };
    await this.#note({ kind: 'answer', question, text, by, ...(by === 'person' && via && { via }) });
    if (this.#turn?.asked) this.#setAsked(withAnswer(this.#turn.asked, question, answer));
    this.answers.push({ question, answer });
  }

  async #note(body: EntryBody): Promise<void> {
    const turn = this.mailbox.turn ? this.#turn?.id : undefined;
    await this.#append([{ at: this.given.now, ...(turn && { turn }), body }]);
  }
}
