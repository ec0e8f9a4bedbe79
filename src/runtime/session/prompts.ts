/** The prompt for a session: as much of its journal as fits the model's window, and the processes that run. */
import type { Agent } from '../../ports/agent.js';
import type { Clock } from '../../ports/clock.js';
import type { SessionId } from '../../contract/ids.js';
import { type PromptMessage, transcript } from '../../domain/session/transcript.js';
import { compactionPlan, needsCompaction, type CompactionPlan } from '../../domain/session/compaction.js';
import { SUMMARY_REQUEST, systemPrompt, type Running } from '../../domain/session/system-prompt.js';
import type { RunningTurn, SessionRecord, Store } from '../../ports/store.js';
import type { Mailboxes } from './mailboxes.js';
import type { Supervisor } from '../process/supervisor.js';

/** A session with this many is compacted too, whatever fits the window: every step reads them all. */
const MOST_ENTRIES = 5_000;

const END = Number.MAX_SAFE_INTEGER;

export type PromptParts = {
  readonly store: Store;
  readonly supervisor: Pick<Supervisor, 'unfinished'>;
  readonly agent: Agent;
  readonly mailboxes: Mailboxes;
  readonly clock: Clock;
};

export class Prompts {
  constructor(readonly parts: PromptParts) {}

  /** Compacts a session that has outgrown the window. */
  async of(id: SessionId, turn: RunningTurn, model: string, signal: AbortSignal): Promise<readonly PromptMessage[]> {
    const session = await this.parts.store.sessions.get(id);
    if (!session) return [];
    // The newest ones, however many there are.
    const entries = await this.parts.store.journal.before(id, END, MOST_ENTRIES, session.contextFrom - 1);
    const messages: readonly PromptMessage[] = [await this.#system(session), ...transcript(entries)];
    const window = this.parts.agent.window(model);
    const tooLong = entries.length === MOST_ENTRIES || needsCompaction(messages, window);
    const plan = tooLong ? compactionPlan(entries, window) : undefined;
    if (!plan || signal.aborted || !(await this.#compact(session, turn, model, plan, signal))) return messages;
    return this.of(id, turn, model, signal);
  }

  async #system({ id }: SessionRecord): Promise<PromptMessage> {
    const now = this.parts.clock.now();
    const running: readonly Running[] = this.parts.supervisor.unfinished
      .filter(({ session }) => session === id)
      .map((record) => ({ ...record, forMs: Math.max(0, now - record.startedAt) }));
    return { role: 'system', text: systemPrompt(running, await this.parts.store.notices.owedTo(id)) };
  }

  /** False when it failed: then the model is shown the uncompacted session. */
  async #compact(
    { id }: SessionRecord,
    turn: RunningTurn,
    model: string,
    { upTo, fold }: CompactionPlan,
    signal: AbortSignal,
  ): Promise<boolean> {
    const messages = [...transcript(fold), { role: 'person', text: SUMMARY_REQUEST } as const];
    const { agent, mailboxes, clock } = this.parts;
    const thought = await agent.think({ model, messages, tools: [], told: () => undefined, signal });
    const summary = 'failed' in thought ? '' : thought.text.trim();
    if (summary === '' || signal.aborted) return false;
    return mailboxes.postFrom(id, turn, [{ kind: 'compaction', upTo, summary }], async ({ sessions }) => {
      await sessions.update(id, { contextFrom: upTo + 1, updatedAt: clock.now() });
      return {};
    });
  }
}
