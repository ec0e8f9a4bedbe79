/**
 * One turn: ask the model, store its answer, run its tools, store their results, and repeat.
 *
 *   1. Each step is stored before the next begins; the model sees only what is in the journal.
 *   2. A turn stores nothing after its generation is over: every write checks that in its own transaction.
 *   3. A result that shows the end of a process, and the settling of its notices, are one transaction.
 *   4. Words that were shown when it is stopped, interrupted or fails are stored with its end, marked as cut off.
 *   5. A turn that another host began continues with the calls that waited for a person: they run with the answer.
 *   6. Ending a turn means aborting it; the turn itself reports how it ended, once. When the host stops it reports
 *      nothing: the next host finds the turn as it is.
 */
import { isFailure, type Agent, type Thought } from '../../ports/agent.js';
import { roundOver, type Clock } from '../../ports/clock.js';
import { ProcessId, type QuestionId, type SessionId } from '../../contract/ids.js';
import type { EntryBody, TurnEnd, Usage } from '../../contract/journal.js';
import type { AbortReason } from '../../domain/session/mailbox.js';
import { isSameMatter, waitingCalls, type OpenQuestion, type WaitingCall } from '../../domain/session/open-question.js';
import {
  CUT_OFF,
  cutOff,
  entriesOf,
  NOTHING_SHOWN,
  type Shown,
  type ToolCall,
} from '../../domain/session/transcript.js';
import type { RunningTurn } from '../../ports/store.js';
import type { Begun } from './mailbox-transaction.js';
import type { LiveEvents } from './live-events.js';
import type { Mailboxes } from './mailboxes.js';
import type { Notices } from '../notice/notices.js';
import type { Prompts } from './prompts.js';
import { UNREAD, type Questions } from './questions.js';
import type { Toolbox } from './tools/toolbox.js';
import type { ToolContext, ToolOutcome } from './tools/tool.js';

export type TurnParts = {
  readonly agent: Agent;
  readonly toolbox: () => Promise<Toolbox>;
  readonly prompts: Prompts;
  readonly mailboxes: Mailboxes;
  readonly questions: Questions;
  readonly notices: Notices;
  readonly live: LiveEvents;
  readonly clock: Clock;
  readonly stepLimit: number;
};

type End = { readonly reason: TurnEnd; readonly why?: string };

/** How a turn ended, and the words of its last step that were shown and never became an entry. */
export type TurnOver = End & { readonly usage: Usage; readonly cutOff: readonly EntryBody[] };

/** How often a stream that broke is requested again; nothing of it was stored. */
const BREAKS = 2;
const WORKING_MS = 30_000;

export class Turn {
  readonly session: SessionId;
  readonly turn: RunningTurn;
  readonly model: string;
  readonly #over = new AbortController();
  #spoken = new AbortController();
  #usage: Usage = { inputTokens: 0, outputTokens: 0 };
  /** What was shown of the running step and is not stored yet. */
  #shown: Shown = NOTHING_SHOWN;

  constructor(
    { session, turn, model }: Begun,
    readonly parts: TurnParts,
  ) {
    this.session = session.id;
    this.turn = turn;
    this.model = model;
  }

  abort(reason: AbortReason | 'host stops'): void {
    this.#over.abort(reason);
  }

  /** A person has sent a message: tools that only wait return. */
  spoken(): void {
    this.#spoken.abort();
  }

  /** Returns how it ended; nothing when the host stops. */
  async run(): Promise<TurnOver | undefined> {
    using _working = this.#sayThatItWorks();
    const end = await this.#steps().catch((error: unknown): End => {
      if (this.#over.signal.aborted) return this.#aborted();
      // Other calls of the step must not continue without a turn.
      this.#over.abort('failed');
      this.#clear();
      throw error;
    });
    this.#clear();
    return this.#over.signal.reason === 'host stops' ? undefined : this.over(end);
  }

  over(end: End): TurnOver {
    return { ...end, usage: this.#usage, cutOff: cutOff(this.#shown, end.reason) };
  }

  async #steps(): Promise<End> {
    if (this.turn.asked?.length && !(await this.#stepOver(waitingCalls(this.turn.asked)))) return this.#aborted();
    for (let step = 0; step < this.parts.stepLimit; step++) {
      const thought = await this.#think();
      if ('reason' in thought) return thought;
      // Before they are an entry: a reader that connects in between must not get both.
      this.#clear();
      if (!(await this.#append(entriesOf(thought)))) return this.#aborted();
      this.#shown = NOTHING_SHOWN;
      if (thought.calls.length === 0) return finished(thought);
      if (!(await this.#stepOver(thought.calls.map((call) => ({ call, questions: [] }))))) return this.#aborted();
    }
    return { reason: 'stepLimit', why: `it reached the limit of ${this.parts.stepLimit} steps per turn` };
  }

  /** Runs the calls of a step; false when the turn was ended meanwhile. */
  async #stepOver(calls: readonly WaitingCall[]): Promise<boolean> {
    await Promise.all(calls.map((call) => this.#use(call)));
    if (this.#over.signal.aborted) return false;
    this.#spoken = new AbortController();
    await this.parts.mailboxes.send(this.session, [{ kind: 'stepReached', generation: this.turn.generation }]);
    return true;
  }

  async #think(): Promise<Thought | End> {
    const { agent, toolbox, live, prompts } = this.parts;
    const { signal } = this.#over;
    for (let breaks = 0; ; breaks++) {
      // A long prompt blocks the host for milliseconds: readers get what was just stored first.
      await roundOver();
      const messages = await prompts.of(this.session, this.turn, this.model, signal);
      if (signal.aborted) return this.#aborted();
      // The words of an attempt that broke off count until the next attempt has some.
      let shown = NOTHING_SHOWN;
      const thought = await agent.think({
        model: this.model,
        messages,
        tools: (await toolbox()).shapes(),
        told: ({ kind, text }) => {
          this.#shown = shown = { ...shown, [kind]: shown[kind] + text };
          live.notify({ ...this.#whose, kind: 'delta', of: kind, text });
        },
        retrying: ({ why }, inMs) => live.notify({ ...this.#whose, kind: 'retrying', why, inMs }),
        signal,
      });
      if (signal.aborted) return this.#aborted();
      if (!isFailure(thought)) {
        this.#usage = sum(this.#usage, thought.usage);
        return thought;
      }
      this.#clear();
      if (thought.failed !== 'broken-off' || breaks === BREAKS) return { reason: 'failed', why: thought.why };
    }
  }

  /** Runs one call and stores its result. A fault in a tool is reported to the model and does not end the turn. */
  async #use(waiting: WaitingCall): Promise<void> {
    const { call } = waiting;
    const outcome = await this.#outcomeOf(waiting).catch((error: unknown): ToolOutcome => ({
      result: `The tool ${call.tool} failed inside Rouse: ${error instanceof Error ? error.message : String(error)}`,
      failed: true,
    }));
    if (this.#over.signal.aborted) return;
    const { result, failed, process, consumes } = outcome;
    const entry: EntryBody = {
      kind: 'toolResult',
      call: call.id,
      tool: call.tool,
      result,
      failed,
      ...(process && { process }),
    };
    await this.#append([entry], consumes);
  }

  /** False when the turn is over. What the result showed is consumed in the same transaction (N5). */
  #append(bodies: readonly EntryBody[], consumes?: ToolOutcome['consumes']): Promise<boolean> {
    const { mailboxes, notices } = this.parts;
    return mailboxes.postFrom(this.session, this.turn, bodies, async (transaction) => {
      if (!consumes) return {};
      const settled = await notices.consumeIn(transaction, consumes.process, consumes.how, this.turn.id);
      return { settled, inputs: [{ kind: 'noticeSettled', notices: settled.map(({ id }) => id) }] };
    });
  }

  /** A call that asked before a restart first waits for the answers, then runs with them. */
  async #outcomeOf({ call, questions }: WaitingCall): Promise<ToolOutcome> {
    const { toolbox, questions: asked } = this.parts;
    const mayHaveActed = questions.length > 0 && questions.every(({ answer }) => answer);
    const answered: OpenQuestion[] = [];
    for (const open of questions)
      answered.push({ ...open, answer: open.answer ?? (await asked.answerTo(open, this.session, this.#over.signal)) });
    const tools = await toolbox();
    if (mayHaveActed && !tools.isRepeatable(call.tool)) return CUT_OFF;
    return tools.run(call, this.#contextOf(call, answered));
  }

  #contextOf(call: ToolCall, answered: readonly OpenQuestion[]): ToolContext {
    const { session, turn } = this;
    const { questions } = this.parts;
    const { signal } = this.#over;
    const before = [...answered];
    let asked: QuestionId | undefined;
    return {
      caller: { session, turn: turn.id, generation: turn.generation },
      signal,
      spoken: this.#spoken.signal,
      askedBefore: answered.length > 0,
      ask: async (question) => {
        const known = before.shift();
        const isKnown = known && isSameMatter(known.about, question.about);
        const open = isKnown ? known : await questions.ask(session, turn, call, question);
        asked = open?.question;
        return open ? (open.answer ?? questions.answerTo(open, session, signal)) : UNREAD;
      },
      processId: () => asked && ProcessId.parse(asked.replace('qst_', 'proc_')),
    };
  }

  #aborted(): End {
    const reason = this.#over.signal.reason as AbortReason | 'host stops' | undefined;
    return { reason: reason === undefined || reason === 'host stops' ? 'superseded' : reason };
  }

  get #whose() {
    return { session: this.session, turn: this.turn.id };
  }

  #clear(): void {
    this.parts.live.notify({ ...this.#whose, kind: 'cleared' });
  }

  #sayThatItWorks(): Disposable {
    const { clock, live } = this.parts;
    const began = clock.monotonic();
    const say = (): void => {
      live.notify({ ...this.#whose, kind: 'working', forMs: Math.round(clock.monotonic() - began) });
      alarm = clock.alarm(WORKING_MS, say);
    };
    let alarm = clock.alarm(WORKING_MS, say);
    return { [Symbol.dispose]: () => alarm.clear() };
  }
}

const finished = ({ finish }: Thought): End =>
  finish === 'length'
    ? { reason: 'finished', why: "the answer was cut off at the model's maximum length" }
    : { reason: 'finished' };

const sum = (so: Usage, more: Usage): Usage => ({
  inputTokens: so.inputTokens + more.inputTokens,
  outputTokens: so.outputTokens + more.outputTokens,
  ...((so.cachedTokens ?? more.cachedTokens) !== undefined && {
    cachedTokens: (so.cachedTokens ?? 0) + (more.cachedTokens ?? 0),
  }),
  ...((so.costUsd ?? more.costUsd) !== undefined && { costUsd: (so.costUsd ?? 0) + (more.costUsd ?? 0) }),
});
