/** After a start of the host: turns that were running are taken up again, or let go with a line that says why. */
import type { Clock } from '../clock.js';
import type { SessionId } from '../contract/ids.js';
import type { Entry, EntryBody } from '../contract/journal.js';
import { resume, TAIL_ENTRIES, tailOf, type Boot, type ResumeFigures, type Verdict } from '../domain/resume.js';
import type { AbortReason } from '../domain/mailbox.js';
import type { RunningTurn, SessionRecord, Store } from '../store.js';
import type { Tell } from './events.js';
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
    await this.store.transact(async ({ kept }) => {
      const boots = ((await kept.get(BOOTS)) ?? []) as readonly Boot[];
      const last = boots.at(-1);
      if (last) await kept.put(BOOTS, [...boots.slice(0, -1), { ...last, clean: true }]);
    });
  }

  /** The boots before this one. */
  async #begin(): Promise<readonly Boot[]> {
    return this.store.transact(async ({ kept }) => {
      const boots = ((await kept.get(BOOTS)) ?? []) as readonly Boot[];
      await kept.put(BOOTS, [...boots.slice(-BOOTS_KEPT), { at: this.clock.now(), clean: false }]);
      return boots;
    });
  }

  async #settle(session: SessionRecord, boots: readonly Boot[]): Promise<void> {
    const now = this.clock.now();
    const { phase } = session.mailbox.turn ?? {};
    if (session.turn && phase?.kind === 'ending') return this.#end(session, session.turn, phase.reason);
    const verdict = resume(await this.#tail(session.id), now, boots, this.figures);
    this.tell({ kind: 'turnFound', session: session.id, verdict: verdict.kind, why: verdict.why });
    const inputs = [{ kind: 'restarted', resumes: verdict.kind === 'resume' } as const];
    const entries = told(verdict).map((body) => ({ at: now, body }));
    await this.mailboxes.post(session.id, async () => ({ posting: { inputs, entries }, result: undefined }));
  }

  /** Somebody had ended the turn, and only the line that says so was missing. */
  async #end({ id }: SessionRecord, { id: turn, generation }: RunningTurn, reason: AbortReason): Promise<void> {
    const inputs = [{ kind: 'turnEnded', generation, reason } as const];
    const entries = [{ turn, at: this.clock.now(), body: { kind: 'turnEnded', reason } as const }];
    this.tell({ kind: 'turnFound', session: id, verdict: 'clear', why: `The turn was ${reason}.` });
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
      return [];
  }
}
