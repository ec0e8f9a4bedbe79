/** After a start of the host: resumes the turns that were running, or ends them with a note that says why. */
import type { SessionId } from '../../contract/ids.js';
import type { Entry, EntryBody } from '../../contract/journal.js';
import {
  cutOffCalls,
  resume,
  TAIL_ENTRIES,
  tailOf,
  type Boot,
  type ResumeFigures,
  type Verdict,
} from '../../domain/session/resume.js';
import type { AbortReason } from '../../domain/session/mailbox.js';
import { unanswered } from '../../domain/session/open-question.js';
import { CUT_OFF } from '../../domain/session/transcript.js';
import type { RunningTurn, SessionRecord } from '../../ports/store.js';
import type { Mailboxes } from './mailboxes.js';

const BOOTS = 'boots';
const BOOTS_KEPT = 20;

export class Resumption {
  constructor(
    readonly mailboxes: Mailboxes,
    readonly figures: ResumeFigures,
  ) {}

  /** Records this boot, and settles every turn that the last host left. */
  async resume(): Promise<void> {
    const { store, tell } = this.mailboxes.parts;
    const boots = await this.#begin();
    for (const session of await store.sessions.running())
      await this.#settle(session, boots).catch((error: unknown) =>
        tell({ kind: 'fault', during: `resuming the turn of ${session.id}`, error }),
      );
  }

  /** Records that this boot was stopped on purpose. */
  async endCleanly(): Promise<void> {
    await this.#changeBoots((boots) =>
      boots.map((boot, at) => (at === boots.length - 1 ? { ...boot, clean: true } : boot)),
    );
  }

  /** Records this boot and returns the boots before it. */
  #begin(): Promise<readonly Boot[]> {
    const boot = { at: this.mailboxes.parts.clock.now(), clean: false };
    return this.#changeBoots((boots) => [...boots.slice(-BOOTS_KEPT), boot]);
  }

  /** Returns the boots as they were. */
  #changeBoots(change: (boots: readonly Boot[]) => readonly Boot[]): Promise<readonly Boot[]> {
    return this.mailboxes.parts.store.transact(async ({ values }) => {
      const boots = ((await values.get(BOOTS)) ?? []) as readonly Boot[];
      await values.put(BOOTS, change(boots));
      return boots;
    });
  }

  async #settle(session: SessionRecord, boots: readonly Boot[]): Promise<void> {
    const { id, mailbox, turn } = session;
    const { store, clock, tell } = this.mailboxes.parts;
    const now = clock.now();
    const { phase } = mailbox.turn ?? {};
    if (turn && phase?.kind === 'ending') {
      tell({ kind: 'turnFound', session: id, verdict: 'clear', why: `The turn was ${phase.reason}.` });
      return this.#end(id, turn, phase.reason);
    }
    const tail = tailOf(await store.journal.before(id, Number.MAX_SAFE_INTEGER, TAIL_ENTRIES));
    const verdict = resume(tail, now, boots, this.figures, turn?.asked);
    tell({ kind: 'turnFound', session: id, verdict: verdict.kind, why: verdict.why });
    if (verdict.kind === 'wait' && turn) return this.#keepWaiting(session, turn, tail);
    if (verdict.kind === 'expired' && turn) return this.#expire(id, turn, verdict.why);
    const inputs = [{ kind: 'restarted', resumes: verdict.kind === 'resume' } as const];
    const entries = notesOn(verdict).map((body) => ({ at: now, body }));
    await this.mailboxes.send(id, inputs, entries);
  }

  /** The same turn continues: its question waits for the rest of its time. Its other calls were cut off. */
  async #keepWaiting(session: SessionRecord, turn: RunningTurn, tail: readonly Entry[]): Promise<void> {
    const at = this.mailboxes.parts.clock.now();
    const entries = cutOffCalls(tail, turn.asked ?? []).map(({ call, tool }) => ({
      turn: turn.id,
      at,
      body: { kind: 'toolResult', call, tool, ...CUT_OFF } as const,
    }));
    await this.mailboxes.send(session.id, [], entries);
    this.mailboxes.resume(session, turn);
  }

  /** Its time ran out while no host ran: that is an end, not unfinished work. */
  async #expire(id: SessionId, turn: RunningTurn, why: string): Promise<void> {
    const late = unanswered(turn.asked ?? []).map(({ question }) => ({ kind: 'questionTimedOut', question }) as const);
    if (late.length > 0) await this.mailboxes.send(id, late);
    await this.#end(id, turn, 'interrupted', why);
  }

  async #end(id: SessionId, { id: turn, generation }: RunningTurn, reason: AbortReason, why?: string): Promise<void> {
    const body: EntryBody = { kind: 'turnEnded', reason, ...(why && { why }) };
    const at = this.mailboxes.parts.clock.now();
    await this.mailboxes.send(id, [{ kind: 'turnEnded', generation, reason }], [{ turn, at, body }]);
  }
}

function notesOn({ kind, why }: Verdict): readonly EntryBody[] {
  switch (kind) {
    case 'resume':
      return [{ kind: 'note', about: 'resumed', text: why }];
    case 'suspend':
      return [{ kind: 'note', about: 'notResumed', text: why }];
    case 'clear':
    case 'wait':
    case 'expired':
      return [];
  }
}
