/** After a start of the host: turns that were running are taken up again, or let go with a line that says why. */
import type { Clock } from '../../ports/clock.js';
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
import type { RunningTurn, SessionRecord, Store } from '../../ports/store.js';
import type { Tell } from '../events.js';
import type { Mailboxes } from './mailboxes.js';

/** Under which name the boots of this home are kept. */
const BOOTS = 'boots';
const BOOTS_KEPT = 20;

export class Resumption {
  constructor(
    readonly store: Store,
    readonly mailboxes: Mailboxes,
    readonly clock: Clock,
    readonly figures: ResumeFigures,
    readonly tell: Tell,
  ) {}

  /** Notes this boot, and settles every turn that the last host left. */
  async resume(): Promise<void> {
    const boots = await this.#begin();
    for (const session of await this.store.sessions.running())
      await this.#settle(session, boots).catch((error: unknown) =>
        this.tell({ kind: 'fault', during: `taking up the turn of ${session.id}`, error }),
      );
  }

  /** Says that this boot ended because it was told to. */
  async endCleanly(): Promise<void> {
    await this.store.transact(async ({ values }) => {
      const boots = ((await values.get(BOOTS)) ?? []) as readonly Boot[];
      const last = boots.at(-1);
      if (last) await values.put(BOOTS, [...boots.slice(0, -1), { ...last, clean: true }]);
    });
  }

  /** The boots before this one. */
  async #begin(): Promise<readonly Boot[]> {
    return this.store.transact(async ({ values }) => {
      const boots = ((await values.get(BOOTS)) ?? []) as readonly Boot[];
      await values.put(BOOTS, [...boots.slice(-BOOTS_KEPT), { at: this.clock.now(), clean: false }]);
      return boots;
    });
  }

  async #settle(session: SessionRecord, boots: readonly Boot[]): Promise<void> {
    const now = this.clock.now();
    const { phase } = session.mailbox.turn ?? {};
    if (session.turn && phase?.kind === 'ending') {
      this.tell({ kind: 'turnFound', session: session.id, verdict: 'clear', why: `The turn was ${phase.reason}.` });
      return this.#end(session, session.turn, phase.reason);
    }
    const tail = await this.#tail(session.id);
    const verdict = resume(tail, now, boots, this.figures, session.turn?.asked);
    this.tell({ kind: 'turnFound', session: session.id, verdict: verdict.kind, why: verdict.why });
    if (verdict.kind === 'wait' && session.turn) return this.#waitOn(session, session.turn, tail);
    if (verdict.kind === 'expired' && session.turn) return this.#expire(session, session.turn, verdict.why);
    const inputs = [{ kind: 'restarted', resumes: verdict.kind === 'resume' } as const];
    const entries = told(verdict).map((body) => ({ at: now, body }));
    await this.mailboxes.post(session.id, async () => ({ posting: { inputs, entries }, result: undefined }));
  }

  /** The turn goes on as it is: its question waits for the rest of its time. Calls beside it were cut off. */
  async #waitOn(session: SessionRecord, turn: RunningTurn, tail: readonly Entry[]): Promise<void> {
    const at = this.clock.now();
    const entries = cutOffCalls(tail, turn.asked ?? []).map(({ call, tool }) => ({
      turn: turn.id,
      at,
      body: { kind: 'toolResult', call, tool, ...CUT_OFF } as const,
    }));
    await this.mailboxes.post(session.id, async () => ({ posting: { inputs: [], entries }, result: undefined }));
    this.mailboxes.resume(session, turn);
  }

  /** Time ran out while no host was there: that is an end, and not work that was left. */
  async #expire({ id }: SessionRecord, turn: RunningTurn, why: string): Promise<void> {
    const late = unanswered(turn.asked ?? []).map(({ question }) => ({ kind: 'questionTimedOut', question }) as const);
    if (late.length > 0) await this.mailboxes.send(id, ...late);
    await this.#end({ id }, turn, 'interrupted', why);
  }

  /** Somebody had ended the turn, and only the line that says so was missing. */
  async #end(
    { id }: Pick<SessionRecord, 'id'>,
    { id: turn, generation }: RunningTurn,
    reason: AbortReason,
    why?: string,
  ): Promise<void> {
    const inputs = [{ kind: 'turnEnded', generation, reason } as const];
    const body: EntryBody = { kind: 'turnEnded', reason, ...(why && { why }) };
    const entries = [{ turn, at: this.clock.now(), body }];
    await this.mailboxes.post(id, async () => ({ posting: { inputs, entries }, result: undefined }));
  }

  async #tail(session: SessionId): Promise<readonly Entry[]> {
    return tailOf(await this.store.journal.before(session, Number.MAX_SAFE_INTEGER, TAIL_ENTRIES));
  }
}

function told({ kind, why }: Verdict): readonly EntryBody[] {
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
