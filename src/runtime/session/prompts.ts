/** What the model is shown of a session: as much of its journal as its window takes, and what still runs. */
import type { Agent } from '../../ports/agent.js';
import type { Clock } from '../../ports/clock.js';
import type { SessionId } from '../../contract/ids.js';
import { type PromptMessage, transcript } from '../../domain/session/transcript.js';
import { compactionPlan, needsCompaction, type CompactionPlan } from '../../domain/session/compaction.js';
import { SUMMARY_REQUEST, systemPrompt, type Running } from '../../domain/session/system-prompt.js';
import type { RunningTurn, SessionRecord, Store } from '../../ports/store.js';
import type { News } from '../listeners.js';
import type { Supervisor } from '../process/supervisor.js';

/** A session with so many is compacted too, whatever the window takes: every step reads them all. */
const MOST_ENTRIES = 5_000;

const END = Number.MAX_SAFE_INTEGER;

export class Prompts {
  constructor(
    readonly store: Store,
    readonly supervisor: Pick<Supervisor, 'unfinished'>,
    readonly agent: Agent,
    readonly news: News,
    readonly clock: Clock,
  ) {}

  /** A session that has outgrown the window is compacted on the way. */
  async of(id: SessionId, turn: RunningTurn, model: string, signal: AbortSignal): Promise<readonly PromptMessage[]> {
    const session = await this.store.sessions.get(id);
    if (!session) return [];
    // The newest: what was said last is shown, however much there is.
    const entries = await this.store.journal.before(id, END, MOST_ENTRIES, session.contextFrom - 1);
    const messages: readonly PromptMessage[] = [await this.#system(session), ...transcript(entries)];
    const window = this.agent.window(model);
    const tooLong = entries.length === MOST_ENTRIES || needsCompaction(messages, window);
    const plan = tooLong ? compactionPlan(entries, window) : undefined;
    if (!plan || signal.aborted || !(await this.#compact(session, turn, model, plan, signal))) return messages;
    return this.of(id, turn, model, signal);
  }

  async #system({ id }: SessionRecord): Promise<PromptMessage> {
    const now = this.clock.now();
    const running: readonly Running[] = this.supervisor.unfinished
      .filter(({ session }) => session === id)
      .map((record) => ({ ...record, forMs: Math.max(0, now - record.startedAt) }));
    return { role: 'system', text: systemPrompt(running, await this.store.notices.owedTo(id)) };
  }

  /** False when nothing came of it: then the model is shown what there is. */
  async #compact(
    { id }: SessionRecord,
    turn: RunningTurn,
    model: string,
    { upTo, fold }: CompactionPlan,
    signal: AbortSignal,
  ): Promise<boolean> {
    const messages = [...transcript(fold), { role: 'person', text: SUMMARY_REQUEST } as const];
    const thought = await this.agent.think({ model, messages, tools: [], told: () => undefined, signal });
    const summary = 'failed' in thought ? '' : thought.text.trim();
    if (summary === '' || signal.aborted) return false;
    const at = this.clock.now();
    const stored = await this.store.transact(async ({ sessions, journal }) => {
      const current = (await sessions.get(id))?.mailbox.turn;
      if (current?.generation !== turn.generation || current.phase.kind === 'ending') return false;
      const body = { kind: 'compaction', upTo, summary } as const;
      await journal.append(id, [{ turn: turn.id, at, body }]);
      await sessions.update(id, { contextFrom: upTo + 1, updatedAt: at });
      return true;
    });
    if (stored) this.news.notify(id);
    return stored;
  }
}
