/** The turns that run on this host. */
import { pause } from '../../ports/clock.js';
import type { Agent } from '../../ports/agent.js';
import type { QuestionId, SessionId } from '../../contract/ids.js';
import type { EntryBody } from '../../contract/journal.js';
import type { AbortReason } from '../../domain/session/mailbox.js';
import type { Answer } from '../../domain/session/open-question.js';
import type { Tell } from '../events.js';
import type { Begun } from './mailbox-transaction.js';
import type { TurnRunner } from './mailboxes.js';
import { untilItSucceeds } from '../retry.js';
import { Turn, type TurnOver, type TurnParts } from './turn.js';

export class Turns implements TurnRunner {
  readonly #running = new Map<SessionId, Turn>();
  readonly #done = new Set<Promise<void>>();
  readonly #stopping = new AbortController();

  constructor(
    readonly parts: TurnParts,
    readonly tell: Tell,
  ) {}

  begin(begun: Begun): void {
    const { session, turn, model } = begun;
    this.tell({ kind: 'turnBegan', session: session.id, turn: turn.id, model });
    const running = new Turn(begun, this.parts);
    this.#running.set(session.id, running);
    const done = this.#run(running).finally(() => {
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
    this.parts.questions.answered(question, answer);
  }

  /** Waits for turns to end by themselves; the others stay as they are, for the next host. */
  async drain(drainMs: number): Promise<void> {
    await Promise.race([Promise.all(this.#done), pause(this.parts.clock, drainMs)]);
    this.#stopping.abort();
    for (const running of this.#running.values()) running.abort('host stops');
    await Promise.all(this.#done);
  }

  async #run(running: Turn): Promise<void> {
    const { session } = running;
    const failed = (error: unknown, during: string) => this.tell({ kind: 'fault', during, error });
    const over = await running.run().catch((error: unknown) => {
      failed(error, `a turn of ${session}`);
      return this.#stopping.signal.aborted ? undefined : running.over({ reason: 'failed', why: FAULT });
    });
    if (!over) return;
    this.tell({ kind: 'turnEnded', session, turn: running.turn.id, reason: over.reason });
    await untilItSucceeds(() => this.#storeEnd(running, over), {
      clock: this.parts.clock,
      signal: this.#stopping.signal,
      failed: (error) => failed(error, `ending a turn of ${session}`),
    });
  }

  /** Only then is the turn over for its session, together with the words that were cut off. */
  async #storeEnd({ session, turn, model }: Turn, { reason, why, usage, cutOff }: TurnOver): Promise<void> {
    const { mailboxes, clock, agent } = this.parts;
    const { generation } = turn;
    const at = clock.now();
    const end: EntryBody = { kind: 'turnEnded', reason, ...(why && { why }), usage };
    const entries = [...cutOff, end].map((body) => ({ turn: turn.id, at, body }));
    const input = {
      kind: 'turnEnded',
      generation,
      reason,
      ...(why && { why }),
      tried: triedWith(agent, model),
    } as const;
    await mailboxes.post(session, async (_, { mailbox }) => ({
      result: undefined,
      posting: mailbox.turn?.generation === generation ? { inputs: [input], entries } : undefined,
    }));
  }
}

const FAULT = 'the host had an internal error; see its log';

/** What a turn was tried with. With something else, what failed may succeed. */
export const triedWith = (agent: Pick<Agent, 'credentials'>, model: string): string =>
  `${model} ${agent.credentials(model)}`;
