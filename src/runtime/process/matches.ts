/**
 * What becomes of lines that matched: decided, stored with the process's watch and the breaker, and owed.
 *
 *   1. A match takes the turn of its process first and the breaker's turn inside it, never the other way round: so the
 *      search of a long output at the end of one process holds up no other.
 *   2. What the silence of the breaker held back waits in the watch of each process. Releasing the breaker and
 *      reporting what waited are separate transactions: a crash in between is made up for at the next start.
 *   3. The last notice of a process, which comes with its end, passes no breaker: there is one at most.
 */
import type { Alarm, Clock } from '../../ports/clock.js';
import type { ProcessId, SessionId } from '../../contract/ids.js';
import type { Cause } from '../../contract/notice.js';
import { closed, step, type Breaker, type Tripper } from '../../domain/notice/breaker.js';
import { decide, type Decided, type Told, type WatchingFigures } from '../../domain/notice/overflow.js';
import type { Instant } from '../../domain/process/process.js';
import type { Redactor } from '../../domain/output/redaction.js';
import type { ScanMark } from '../../domain/notice/line-scan.js';
import { watching, type Found, type Watch, type WatchInput } from '../../domain/notice/watch.js';
import type { ProcessRecord, Store, Transaction } from '../../ports/store.js';
import type { Tell } from '../events.js';
import type { Change, Ledger } from './ledger.js';
import type { NewNotice, Notices } from '../notice/notices.js';
import type { Read } from '../notice/watching.js';

/** Under which name the breaker's state is kept. */
const BREAKER = 'breaker';
/** So long after the store failed us. */
const RETRY_MS = 1_000;

export class Matches {
  #breaker: Breaker = closed;
  #last: Promise<unknown> = Promise.resolve();
  #ticking: Promise<void> = Promise.resolve();
  #alarm: Alarm | undefined;
  #stopped = false;

  constructor(
    readonly store: Store,
    readonly ledger: () => Ledger,
    readonly notices: Notices,
    readonly redactor: Redactor,
    readonly clock: Clock,
    readonly figures: WatchingFigures,
    readonly tell: Tell,
  ) {}

  /** Takes up the silence that the last host left. */
  async recover(): Promise<void> {
    this.#breaker = ((await this.store.kept.get(BREAKER)) as Breaker | undefined) ?? closed;
  }

  /** Ends the silence if its time is up, and reports what waited for that. Once the processes are taken up. */
  start(): void {
    this.#tickIn(0);
  }

  /** Until when the matches of all processes are held back, if they are. */
  get silentUntil(): Instant | undefined {
    return this.#breaker.kind === 'silent' ? this.#breaker.until : undefined;
  }

  /** Stored in the process's own turn: once its end is stored, nothing of this is. */
  report(id: ProcessId, { found, mark }: Read): Promise<void> {
    return this.ledger().change(id, async (record, remember) => {
      const { session } = record;
      if (!session) return;
      const input = found && ({ kind: 'match', found } as const);
      const owner = { ...record, session };
      if (!input) return remember({ change: { watch: { state: stateOf(record), mark } }, durability: 'crash' });
      return this.#inOrder(() => remember(this.#decided(owner, input, mark)));
    });
  }

  /** What is owed together with the end of a process: the last match, with what was held back before it (W6). */
  atTheEnd(record: Owned, found: Found | undefined): { readonly state: Watch; readonly last?: NewNotice } {
    const { watch, told } = this.#decide(record, { kind: 'processEnded', ...(found && { found }) });
    const [last] = told.map((fact) => this.#noticeOf(record, fact));
    return { state: watch, ...(last && { last }) };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#alarm?.clear();
    await this.#ticking;
    await this.#last;
  }

  #decided(record: Owned, input: WatchInput, mark: ScanMark): Change {
    const { watch, breaker, told } = this.#decide(record, input);
    const promoted = told.some(({ kind }) => kind === 'disabled');
    return {
      change: {
        watch: { state: watch, mark },
        ...(promoted && { notifyOnComplete: true }),
      },
      owes: told.map((fact) => this.#noticeOf(record, fact)),
      also: (transaction) => this.#keep(transaction, breaker),
      // A count can be read again from the output; what is owed must not depend on that.
      durability: told.length > 0 ? 'power cut' : 'crash',
      stored: () => this.#remember(breaker),
    };
  }

  #decide(record: Owned, input: WatchInput): Decided {
    const before = { watch: stateOf(record), breaker: this.#breaker };
    const number = input.kind === 'match' ? input.found.match.number : 0;
    const who = { session: record.session, process: record.id, number };
    return decide(before, input, who, this.clock.now(), this.figures);
  }

  /** One notice for each process that has something waiting. */
  async #releaseHeld(): Promise<void> {
    const waiting = this.ledger().unfinished.filter(waitsForRelease);
    await Promise.all(
      waiting.map(({ id }) =>
        this.ledger().change(id, async (record, remember) => {
          const { session, watch } = record;
          if (!session || !watch || !waitsForRelease(record)) return;
          const { watch: state, told } = this.#decide({ ...record, session }, { kind: 'released' });
          const owes = told.map((fact) => this.#noticeOf({ ...record, session }, fact));
          await remember({ change: { watch: { state, mark: watch.mark } }, owes });
        }),
      ),
    );
  }

  async #keep(transaction: Transaction, breaker: Breaker): Promise<void> {
    if (breaker !== this.#breaker) await transaction.kept.put(BREAKER, breaker);
  }

  #remember(breaker: Breaker): void {
    const releases = this.#breaker.kind === 'silent' && breaker.kind === 'closed';
    this.#breaker = breaker;
    if (releases) this.#tickIn(0);
    else if (breaker.kind === 'silent')
      this.#tickIn(Math.min(breaker.until - this.clock.now(), this.figures.breaker.silenceMs));
  }

  #tickIn(ms: number): void {
    this.#alarm?.clear();
    if (this.#stopped) return;
    this.#alarm = this.clock.alarm(Math.max(0, ms), () => {
      this.#ticking = this.#tick().catch((error: unknown) => {
        this.tell({ kind: 'fault', during: 'ending the silence of the breaker', error });
        this.#tickIn(RETRY_MS);
      });
    });
  }

  async #tick(): Promise<void> {
    await this.#inOrder(async () => {
      const { state, effects } = step(this.#breaker, { kind: 'tick' }, this.clock.now(), this.figures.breaker);
      const owed = effects.flatMap((effect) => (effect.kind === 'release' ? [released(effect)] : []));
      if (owed.length > 0) {
        const admitted = await this.store.transact(async (transaction) => {
          await this.#keep(transaction, state);
          return Promise.all(owed.map((notice) => this.notices.admit(transaction, notice)));
        });
        this.notices.announce(admitted);
      }
      this.#breaker = state;
    });
    if (this.#breaker.kind === 'closed') await this.#releaseHeld();
    else this.#remember(this.#breaker);
  }

  #noticeOf(record: Owned, told: Told): NewNotice {
    const { redact } = this.redactor;
    const { id: process, session, command, name } = record;
    const about = { process, command, ...(name && { name }) };
    const { max, windowMs, silenceMs } = this.figures.breaker;
    switch (told.kind) {
      case 'match': {
        const { pattern, text, number } = told.match;
        const cause: Cause = {
          kind: 'watch_match',
          ...about,
          pattern: redact(pattern),
          text,
          heldBack: told.heldBack,
        };
        return { session, process, number, cause };
      }
      case 'disabled': {
        const { strikes, heldBack } = told;
        return { session, process, number: 0, cause: { kind: 'watch_disabled', ...about, strikes, heldBack } };
      }
      case 'tripped':
        return { ...told.by, cause: { kind: 'watch_overflow_tripped', process, max, windowMs, silenceMs } };
      case 'released':
        return released(told);
    }
  }

  #inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** A process that belongs to a session: only such a one is watched. */
export type Owned = ProcessRecord & { readonly session: SessionId };

const stateOf = ({ watch }: ProcessRecord): Watch => watch?.state ?? watching;

function waitsForRelease(record: ProcessRecord): boolean {
  const state = stateOf(record);
  return state.kind !== 'ended' && state.held?.silenced === true;
}

const released = ({ by, heldBack }: { readonly by: Tripper; readonly heldBack: number }): NewNotice => ({
  ...by,
  cause: { kind: 'watch_overflow_released', process: by.process, heldBack },
});
