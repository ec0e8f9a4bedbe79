/** Sessions with an agent in them: mailboxes, turns, wakes, and what a restart left, put together. */
import type { Agent } from '../../ports/agent.js';
import type { Clock } from '../../ports/clock.js';
import type { MessageId, QuestionId, TurnId } from '../../contract/ids.js';
import type { BudgetFigures } from '../../domain/session/budget.js';
import type { ResumeFigures } from '../../domain/session/resume.js';
import type { Store } from '../../ports/store.js';
import { Conversation } from './conversation.js';
import type { Tell } from '../events.js';
import { DueNotices } from './due-notices.js';
import { LiveEvents } from './live-events.js';
import { Mailboxes } from './mailboxes.js';
import type { News } from '../listeners.js';
import type { Notices } from '../notice/notices.js';
import { Prompts } from './prompts.js';
import { Resumption } from './resumption.js';
import type { Supervisor } from '../process/supervisor.js';
import type { Toolbox } from './tools/toolbox.js';
import { triedWith, Turns } from './turns.js';
import { Questions } from './questions.js';

export type EngineSettings = {
  readonly stepLimit: number;
  readonly questionMs: number;
  readonly budget: BudgetFigures;
  readonly resume: ResumeFigures;
  readonly drainMs: number;
  /** For sessions that name no model. */
  readonly defaultModel: string;
};

export type EngineParts = {
  readonly store: Store;
  readonly supervisor: Supervisor;
  readonly notices: Notices;
  readonly news: News;
  readonly agent: Agent;
  readonly toolbox: () => Promise<Toolbox>;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  readonly newId: {
    readonly turn: () => TurnId;
    readonly message: () => MessageId;
    readonly question: () => QuestionId;
  };
  readonly settings: EngineSettings;
  readonly tell: Tell;
};

export class SessionEngine {
  readonly live = new LiveEvents();
  readonly conversation: Conversation;
  readonly mailboxes: Mailboxes;
  readonly turns: Turns;
  readonly dueNotices: DueNotices;
  readonly #resumption: Resumption;
  #drained: Promise<void> | undefined;

  constructor(readonly parts: EngineParts) {
    const { store, supervisor, notices, news, agent, toolbox, clock, redact, newId, settings, tell } = parts;
    const { budget, stepLimit, questionMs } = settings;
    const modelOf = (session: { readonly model?: string }) => session.model ?? settings.defaultModel;
    const runner = () => this.turns;
    const mailboxes = new Mailboxes({
      store,
      notices,
      news,
      clock,
      budget,
      modelOf,
      newTurnId: newId.turn,
      runner,
      tell,
    });
    const prompts = new Prompts({ store, supervisor, agent, mailboxes, clock });
    const asking = { mailboxes, clock, newQuestionId: newId.question, redact, questionMs, tell };
    const questions = new Questions(asking);
    const { live } = this;
    this.mailboxes = mailboxes;
    this.turns = new Turns({ agent, toolbox, prompts, mailboxes, questions, notices, live, clock, stepLimit }, tell);
    this.dueNotices = new DueNotices(store, this.mailboxes, news, clock, tell);
    this.conversation = new Conversation(this.mailboxes, clock, newId.message, parts.redact);
    this.#resumption = new Resumption(store, this.mailboxes, clock, settings.resume, tell);
  }

  /** What the last host left is settled first; then whatever waits begins. */
  async start(): Promise<void> {
    await this.#resumption.resume();
    await this.#liftPauses();
    for (const { id, mailbox } of await this.parts.store.sessions.waiting()) if (!mailbox.turn) this.mailboxes.look(id);
    await this.dueNotices.start();
  }

  /**
   * Nothing begins from here on, and what people say is kept for the next host. Turns that end in time are over; the
   * others go on with the next host.
   */
  drain(): Promise<void> {
    return (this.#drained ??= this.#drain());
  }

  async #drain(): Promise<void> {
    this.mailboxes.drain();
    await this.dueNotices.stop();
    await this.turns.drain(this.parts.settings.drainMs);
  }

  async stop(): Promise<void> {
    await this.drain();
    await this.mailboxes.stop();
    await this.#resumption.endCleanly();
  }

  /** What failed may succeed with another model or other credentials, be they the session's own or the host's. */
  async #liftPauses(): Promise<void> {
    const { store, agent } = this.parts;
    for (const session of await store.sessions.waiting()) {
      const { pause } = session.mailbox;
      const now = triedWith(agent, this.mailboxes.parts.modelOf(session));
      if (pause && pause.tried !== now) await this.mailboxes.send(session.id, { kind: 'pauseLifted' });
    }
  }
}
