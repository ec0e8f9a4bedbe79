/** Runs sessions: mailboxes, turns, wakes and the recovery after a restart, wired together. */
import type { MessageId } from '../../contract/ids.js';
import type { ResumeFigures } from '../../domain/session/resume.js';
import { Conversation } from './conversation.js';
import { DueNotices } from './due-notices.js';
import { LiveEvents } from './live-events.js';
import { Mailboxes, type MailboxParts } from './mailboxes.js';
import { Prompts, type PromptParts } from './prompts.js';
import { Questions, type QuestionParts } from './questions.js';
import { Resumption } from './resumption.js';
import type { TurnParts } from './turn.js';
import { triedWith, Turns } from './turns.js';

/** What its parts need, except what it makes for them. */
export type EngineParts = Omit<MailboxParts, 'modelOf' | 'runner'> &
  Omit<PromptParts & QuestionParts, 'mailboxes'> &
  Pick<TurnParts, 'toolbox' | 'stepLimit'> & {
    readonly newMessageId: () => MessageId;
    readonly resume: ResumeFigures;
    readonly drainMs: number;
    /** For sessions that name no model. */
    readonly defaultModel: string;
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
    const modelOf = (session: { readonly model?: string }) => session.model ?? parts.defaultModel;
    const mailboxes = new Mailboxes({ ...parts, modelOf, runner: () => this.turns });
    const prompts = new Prompts({ ...parts, mailboxes });
    const questions = new Questions({ ...parts, mailboxes });
    this.mailboxes = mailboxes;
    this.turns = new Turns({ ...parts, mailboxes, prompts, questions, live: this.live }, parts.tell);
    this.dueNotices = new DueNotices(mailboxes);
    this.conversation = new Conversation(mailboxes, parts.newMessageId, parts.redact);
    this.#resumption = new Resumption(mailboxes, parts.resume);
  }

  /** Settles what the last host left first; then begins what waits. */
  async start(): Promise<void> {
    await this.#resumption.resume();
    await this.#liftPauses();
    for (const { id, mailbox } of await this.parts.store.sessions.waiting()) if (!mailbox.turn) this.mailboxes.look(id);
    await this.dueNotices.start();
  }

  /** From here on nothing begins, and messages are stored for the next host. It also continues turns that do not end. */
  drain(): Promise<void> {
    return (this.#drained ??= this.#drain());
  }

  async #drain(): Promise<void> {
    this.mailboxes.drain();
    await this.dueNotices.stop();
    await this.turns.drain(this.parts.drainMs);
  }

  async stop(): Promise<void> {
    await this.drain();
    await this.mailboxes.stop();
    await this.#resumption.endCleanly();
  }

  /** What failed may succeed with another model or other credentials, of the session or of the host. */
  async #liftPauses(): Promise<void> {
    const { store, agent } = this.parts;
    for (const session of await store.sessions.waiting()) {
      const { pause } = session.mailbox;
      const now = triedWith(agent, this.mailboxes.parts.modelOf(session));
      if (pause && pause.tried !== now) await this.mailboxes.send(session.id, [{ kind: 'pauseLifted' }]);
    }
  }
}
