/** The questions that running turns put to people: stored first, then waited for until their time is up. */
import type { Clock } from '../../ports/clock.js';
import type { QuestionId, SessionId } from '../../contract/ids.js';
import type { EntryBody, QuestionAbout } from '../../contract/journal.js';
import type { ToolCall } from '../../domain/session/transcript.js';
import { leftMs, type Answer, type OpenQuestion } from '../../domain/session/open-question.js';
import type { RunningTurn } from '../../ports/store.js';
import { Alarms } from '../alarms.js';
import type { Tell } from '../events.js';
import type { Mailboxes } from './mailboxes.js';
import { RETRY_MS } from '../retry.js';
import type { Question } from './tools/tool.js';

export type QuestionParts = {
  readonly mailboxes: Mailboxes;
  readonly clock: Clock;
  readonly newQuestionId: () => QuestionId;
  readonly redact: Redact;
  readonly questionMs: number;
  readonly tell: Tell;
};

type Redact = (text: string) => string;

/** The answer when the turn is over: it is not read. */
export const UNREAD: Answer = { by: 'timeout' };

export class Questions {
  readonly #waiting = new Map<QuestionId, (answer: Answer) => void>();
  readonly #timeouts: Alarms<QuestionId>;

  constructor(readonly parts: QuestionParts) {
    this.#timeouts = new Alarms(parts.clock);
  }

  /** Stores a question; undefined when the turn is over. */
  async ask(
    session: SessionId,
    turn: RunningTurn,
    call: ToolCall,
    { text, choices, about }: Question,
  ): Promise<OpenQuestion | undefined> {
    const { newQuestionId, clock, questionMs, mailboxes, redact } = this.parts;
    const at = clock.now();
    const question = newQuestionId();
    const asks: OpenQuestion = {
      question,
      call,
      text,
      ...(choices && { choices }),
      about,
      at,
      expiresAt: at + questionMs,
    };
    const inputs = [{ kind: 'questionAsked', generation: turn.generation, question } as const];
    const asked = await mailboxes.postFrom(session, turn, [questionEntry(asks, redact)], async () => ({
      inputs,
      asks,
    }));
    return asked ? asks : undefined;
  }

  /** Waits for the answer to a stored question; its time counts from when it was asked. */
  answerTo(open: OpenQuestion, session: SessionId, signal: AbortSignal): Promise<Answer> {
    const { question } = open;
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(UNREAD);
      this.#timeOutIn(leftMs(open, this.parts.clock.now()), question, session);
      const done = (answer: Answer): void => {
        this.#timeouts.clear(question);
        this.#waiting.delete(question);
        signal.removeEventListener('abort', aborted);
        resolve(answer);
      };
      const aborted = (): void => done(UNREAD);
      signal.addEventListener('abort', aborted, { once: true });
      this.#waiting.set(question, done);
    });
  }

  answered(question: QuestionId, answer: Answer): void {
    this.#waiting.get(question)?.(answer);
  }

  #timeOutIn(ms: number, question: QuestionId, session: SessionId): void {
    this.#timeouts.set(question, ms, () => {
      this.parts.mailboxes.send(session, [{ kind: 'questionTimedOut', question }]).catch((error: unknown) => {
        this.parts.tell({ kind: 'fault', during: `ending the wait for ${question}`, error });
        if (this.#waiting.has(question)) this.#timeOutIn(RETRY_MS, question, session);
      });
    });
  }
}

/** Everyone who may see the session reads the journal: secrets are redacted there. */
const questionEntry = (
  { question, text, choices, about, call, expiresAt }: OpenQuestion,
  redact: Redact,
): EntryBody => ({
  kind: 'question',
  question,
  text,
  ...(choices && { choices: [...choices] }),
  about: redacted(about, redact),
  call: call.id,
  expiresAt,
});

const redacted = (about: QuestionAbout, redact: Redact): QuestionAbout =>
  about.kind === 'approval' ? { ...about, command: redact(about.command) } : about;
