/** The turns that run on this host, and the questions that they wait for. */
import type { Agent } from '../../ports/agent.js';
import { pause, type Clock } from '../../ports/clock.js';
import type { QuestionId, SessionId } from '../../contract/ids.js';
import type { EntryBody, QuestionAbout } from '../../contract/journal.js';
import type { ToolCall } from '../../domain/session/transcript.js';
import type { AbortReason } from '../../domain/session/mailbox.js';
import { leftMs, type Answer, type OpenQuestion } from '../../domain/session/open-question.js';
import type { RunningTurn, Store } from '../../ports/store.js';
import { Alarms } from '../alarms.js';
import type { Tell } from '../events.js';
import type { LiveEvents } from './live-events.js';
import type { Begun } from './inscription.js';
import type { Company, Mailboxes } from './mailboxes.js';
import type { News } from '../listeners.js';
import type { Notices } from '../notice/notices.js';
import type { Prompts } from './prompts.js';
import { RETRY_MS, untilItSucceeds } from '../retry.js';
import type { Question, ToolOutcome } from './tools/tool.js';
import type { Toolbox } from './tools/toolbox.js';
import { Turn, UNREAD, type Surroundings, type TurnOver } from './turn.js';

export type TurnSettings = { readonly stepLimit: number; readonly questionMs: number };

export type TurnParts = {
  readonly store: Store;
  readonly mailboxes: Mailboxes;
  readonly prompts: Prompts;
  readonly notices: Notices;
  readonly news: News;
  readonly agent: Agent;
  readonly toolbox: () => Promise<Toolbox>;
  readonly live: LiveEvents;
  readonly clock: Clock;
  readonly newQuestionId: () => QuestionId;
  readonly redact: Redact;
  readonly settings: TurnSettings;
  readonly tell: Tell;
};

type Redact = (text: string) => string;

export class Turns implements Company {
  readonly #running = new Map<SessionId, Turn>();
  readonly #done = new Set<Promise<void>>();
  readonly #questions = new Map<QuestionId, (answer: Answer) => void>();
  readonly #timeouts: Alarms<QuestionId>;
  readonly #stopping = new AbortController();

  constructor(readonly parts: TurnParts) {
    this.#timeouts = new Alarms(parts.clock);
  }

  get count(): number {
    return this.#running.size;
  }

  begin({ session, turn, model }: Begun): void {
    this.parts.tell({ kind: 'turnBegan', session: session.id, turn: turn.id, model });
    const running = new Turn(session.id, turn, model, this.#surroundings(session.id, turn));
    this.#running.set(session.id, running);
    const done = running
      .run()
      .catch((error: unknown) => this.#faulted(running, error))
      .finally(() => {
        this.#done.delete(done);
        if (this.#running.get(session.id) === running) this.#running.delete(session.id);
      });
    this.#done.add(done);
  }

  abort(session: SessionId, generation: number, reason: AbortReason): void {
    const running = this.#running.get(session);
    if (running?.turn.generation === generation) running.abort(reason);
  }

  spoken(session: SessionId): void {
    this.#running.get(session)?.spoken();
  }

  answered(question: QuestionId, answer: Answer): void {
    this.#questions.get(question)?.(answer);
  }

  /** Waits for turns to end by themselves; those that do not are left as they are, for the next host. */
  async drain(drainMs: number): Promise<void> {
    await Promise.race([Promise.all(this.#done), pause(this.parts.clock, drainMs)]);
    this.#stopping.abort();
    for (const running of this.#running.values()) running.abort('host stops');
    await Promise.all(this.#done);
  }

  #surroundings(session: SessionId, turn: RunningTurn): Surroundings {
    const { agent, toolbox, live, clock, settings, prompts, mailboxes } = this.parts;
    return {
      agent,
      toolbox,
      live,
      clock,
      stepLimit: settings.stepLimit,
      prompt: (model, signal) => prompts.of(session, turn, model, signal),
      append: (entries, consumes) => this.#append(session, turn, entries, consumes),
      stepReached: () => mailboxes.tellOf(session, { kind: 'stepReached', generation: turn.generation }),
      ask: (call, question) => this.#ask(session, turn, call, question),
      answerTo: (open, signal) => this.#answerTo(open, session, signal),
      ended: (over) => this.#ended(session, turn, over),
    };
  }

  /** Stored only while the turn is the session's own and nobody has ended it. */
  async #append(
    session: SessionId,
    turn: RunningTurn,
    bodies: readonly EntryBody[],
    consumes: ToolOutcome['consumes'],
  ): Promise<boolean> {
    const at = this.parts.clock.now();
    const settled = await this.parts.store.transact(async (transaction) => {
      const { mailbox, turn: stored } = (await transaction.sessions.get(session)) ?? {};
      if (mailbox?.turn?.generation !== turn.generation || mailbox.turn.phase.kind === 'ending') return undefined;
      await transaction.journal.append(
        session,
        bodies.map((body) => ({ turn: turn.id, at, body })),
      );
      const over = bodies.flatMap((body) => (body.kind === 'toolResult' ? [body.call] : []));
      if (stored?.asked?.some(({ call }) => over.includes(call.id)))
        await transaction.sessions.update(session, { turn: withoutCalls(stored, over) });
      if (!consumes) return [];
      const seen = await this.parts.notices.consumeIn(transaction, consumes.process, consumes.how, turn.id);
      const due = mailbox.due.filter(({ notice }) => !seen.some(({ id }) => id === notice));
      await transaction.sessions.update(session, { mailbox: { ...mailbox, due } });
      return seen;
    });
    if (!settled) return false;
    this.parts.news.notify(session);
    this.parts.notices.announceSettled(settled);
    return true;
  }

  async #ask(
    session: SessionId,
    turn: RunningTurn,
    call: ToolCall,
    { text, choices, about }: Question,
  ): Promise<OpenQuestion | undefined> {
    const { newQuestionId, clock, settings, mailboxes, redact } = this.parts;
    const at = clock.now();
    const open: OpenQuestion = {
      question: newQuestionId(),
      call,
      text,
      ...(choices && { choices }),
      about,
      at,
      expiresAt: at + settings.questionMs,
    };
    const body = questionEntry(open, redact);
    const asked = await mailboxes.post(session, async (_, { mailbox }) => {
      const runs = mailbox.turn?.generation === turn.generation && mailbox.turn.phase.kind !== 'ending';
      const inputs = [{ kind: 'questionAsked', generation: turn.generation, question: open.question } as const];
      return { result: runs, ...(runs && { posting: { inputs, asks: open, entries: [{ turn: turn.id, at, body }] } }) };
    });
    return asked === true ? open : undefined;
  }

  #answerTo(open: OpenQuestion, session: SessionId, signal: AbortSignal): Promise<Answer> {
    const { question } = open;
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(UNREAD);
      this.#timeOutIn(leftMs(open, this.parts.clock.now()), question, session);
      const done = (answer: Answer): void => {
        this.#timeouts.clear(question);
        this.#questions.delete(question);
        signal.removeEventListener('abort', aborted);
        resolve(answer);
      };
      const aborted = (): void => done(UNREAD);
      signal.addEventListener('abort', aborted, { once: true });
      this.#questions.set(question, done);
    });
  }

  #timeOutIn(ms: number, question: QuestionId, session: SessionId): void {
    this.#timeouts.set(question, ms, () => {
      this.parts.mailboxes.tellOf(session, { kind: 'questionTimedOut', question }).catch((error: unknown) => {
        this.parts.tell({ kind: 'fault', during: `ending the wait for ${question}`, error });
        if (this.#questions.has(question)) this.#timeOutIn(RETRY_MS, question, session);
      });
    });
  }

  /**
   * The turn is over for the session only once that is stored, together with the words that were cut off; a store that
   * fails is asked again.
   */
  async #ended(session: SessionId, turn: RunningTurn, { model, reason, why, usage, cutOff }: TurnOver): Promise<void> {
    this.parts.tell({ kind: 'turnEnded', session, turn: turn.id, reason });
    const at = this.parts.clock.now();
    const end: EntryBody = { kind: 'turnEnded', reason, ...(why && { why }), usage };
    const entries = [...cutOff, end].map((body) => ({ turn: turn.id, at, body }));
    const { generation } = turn;
    const tried = triedWith(this.parts.agent, model);
    const input = { kind: 'turnEnded', generation, reason, ...(why && { why }), tried } as const;
    const store = () =>
      this.parts.mailboxes.post(session, async (_, { mailbox }) => {
        const ours = mailbox.turn?.generation === generation;
        return { result: undefined, ...(ours && { posting: { inputs: [input], entries } }) };
      });
    await untilItSucceeds(store, {
      clock: this.parts.clock,
      signal: this.#stopping.signal,
      failed: (error) => this.parts.tell({ kind: 'fault', during: `ending a turn of ${session}`, error }),
    });
  }

  async #faulted(running: Turn, error: unknown): Promise<void> {
    const { session, turn } = running;
    this.parts.tell({ kind: 'fault', during: `a turn of ${session}`, error });
    const why = 'something went wrong inside the host; its log says what';
    if (!this.#stopping.signal.aborted) await this.#ended(session, turn, running.over({ reason: 'failed', why }));
  }
}

/** What a turn was tried with. Once it is something else, what failed may succeed. */
export const triedWith = (agent: Pick<Agent, 'credentials'>, model: string): string =>
  `${model} ${agent.credentials(model)}`;

/** Everybody who may see the session reads the journal: what looks like a secret is not in it. */
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

function withoutCalls({ asked = [], ...turn }: RunningTurn, over: readonly string[]): RunningTurn {
  const left = asked.filter(({ call }) => !over.includes(call.id));
  return left.length > 0 ? { ...turn, asked: left } : turn;
}
