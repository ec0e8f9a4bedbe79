/**
 * What becomes of lines that matched: a decision, stored with the process's watch and the breaker, and its notices.
 *
 *   1. A match takes the turn of its process first and the breaker's turn inside it, never the other way round: so the
 *      search of a long output at the end of one process delays no other.
 *   2. What the breaker held back waits in the watch of each process. Releasing the breaker and reporting what waited
 *      are separate transactions: after a crash in between, the next start reports it.
 *   3. The last notice of a process, which comes with its end, passes no breaker: there is one at most.
 */
import type { ProcessId, SessionId } from '../../contract/ids.js';
import {
  closed,
  decide,
  step,
  type Breaker,
  type Decided,
  type Fact,
  type WatchingFigures,
} from '../../domain/notice/breaker.js';
import type { Instant } from '../../domain/process/process.js';
import type { ScanMark } from '../../domain/notice/line-scan.js';
import { watching, type Found, type Watch, type WatchInput } from '../../domain/notice/watch.js';
import type { ProcessRecord, Transaction } from '../../ports/store.js';
import { Alarms } from '../alarms.js';
import type { NewNotice } from '../notice/notices.js';
import type { Read } from '../notice/watching.js';
import { RETRY_MS } from '../retry.js';
import { SerialQueue } from '../serial-queue.js';
import type { Change, Ledger, LedgerParts } from './ledger.js';

/** The name under which the breaker's state is stored. */
const BREAKER = 'breaker';

/** A process that belongs to a session: only such a process is watched. */
export type Watched = ProcessRecord & { readonly session: SessionId };

const isWatched = (record: ProcessRecord): record is Watched => record.session !== undefined;

export class MatchNotices {
  #breaker: Breaker = closed;
  readonly #turns = new SerialQueue<typeof BREAKER>();
  readonly #alarms: Alarms<typeof BREAKER>;
  #ticking: Promise<void> = Promise.resolve();

  constructor(
    readonly parts: Pick<LedgerParts, 'store' | 'notices' | 'redactor' | 'clock' | 'tell'>,
    readonly ledger: () => Ledger,
    readonly figures: WatchingFigures,
  ) {
    this.#alarms = new Alarms(parts.clock);
  }

  /** Continues the silence that the last host left. */
  async recover(): Promise<void> {
    this.#breaker = ((await this.parts.store.values.get(BREAKER)) as Breaker | undefined) ?? closed;
  }

  /** Ends the silence if its time is up, and reports what waited for that. Call it once the processes are recovered. */
  start(): void {
    this.#tickIn(0);
  }

  /** Until when the matches of all processes are held back, if they are. */
  get silentUntil(): Instant | undefined {
    return this.#breaker.kind === 'silent' ? this.#breaker.until : undefined;
  }

  /** Stored in the process's own turn, and never after its end. */
  report(id: ProcessId, { found, mark }: Read): Promise<void> {
    return this.ledger().change(id, async (record, store) => {
      if (!isWatched(record)) return;
      if (found) await this.#turns.run(BREAKER, () => store(this.#matched(record, found, mark)));
      else await store({ change: { watch: { state: stateOf(record), mark } }, durability: 'crash' });
    });
  }

  /** What is owed together with the end of a process: the last match, with what was held back before it (W6). */
  atTheEnd(record: Watched, found: Found | undefined): { readonly state: Watch; readonly last: NewNotice | undefined } {
    const { watch, facts } = this.#decide(record, { kind: 'processEnded', ...(found && { found }) });
    return { state: watch, last: this.#noticesOf(record, facts)[0] };
  }

  async stop(): Promise<void> {
    this.#alarms.stop();
    await this.#ticking;
    await this.#turns.idle();
  }

  #matched(record: Watched, found: Found, mark: ScanMark): Change {
    const { watch, breaker, facts } = this.#decide(record, { kind: 'match', found });
    const disabled = facts.some(({ kind }) => kind === 'disable');
    return {
      change: { watch: { state: watch, mark }, ...(disabled && { notifyOnComplete: true }) },
      owes: this.#noticesOf(record, facts),
      also: (transaction) => this.#keep(transaction, breaker),
      // A count can be read again from the output; a notice must not depend on that.
      durability: facts.length > 0 ? 'power cut' : 'crash',
      stored: () => this.#became(breaker),
    };
  }

  #decide(record: Watched, input: WatchInput): Decided {
    const before = { watch: stateOf(record), breaker: this.#breaker };
    const number = input.kind === 'match' ? input.found.match.number : 0;
    const who = { session: record.session, process: record.id, number };
    return decide(before, input, who, this.parts.clock.now(), this.figures);
  }

  /** One notice for each process that has something waiting. */
  async #releaseHeld(): Promise<void> {
    const ledger = this.ledger();
    const release = async (record: ProcessRecord, store: (change: Change) => Promise<void>) => {
      if (!isWatched(record) || !record.watch) return;
      const { watch: state, facts } = this.#decide(record, { kind: 'released' });
      if (facts.length === 0) return;
      await store({ change: { watch: { ...record.watch, state } }, owes: this.#noticesOf(record, facts) });
    };
    await Promise.all(ledger.unfinished.filter(({ watch }) => watch).map(({ id }) => ledger.change(id, release)));
  }

  async #keep(transaction: Transaction, breaker: Breaker): Promise<void> {
    if (breaker !== this.#breaker) await transaction.values.put(BREAKER, breaker);
  }

  #became(breaker: Breaker): void {
    const releases = this.#breaker.kind === 'silent' && breaker.kind === 'closed';
    this.#breaker = breaker;
    if (releases) this.#tickIn(0);
    else if (breaker.kind === 'silent')
      this.#tickIn(Math.min(breaker.until - this.parts.clock.now(), this.figures.breaker.silenceMs));
  }

  #tickIn(ms: number): void {
    this.#alarms.set(BREAKER, ms, () => {
      this.#ticking = this.#tick().catch((error: unknown) => {
        this.parts.tell({ kind: 'fault', during: 'ending the silence of the breaker', error });
        this.#tickIn(RETRY_MS);
      });
    });
  }

  async #tick(): Promise<void> {
    const { store, notices, clock } = this.parts;
    await this.#turns.run(BREAKER, async () => {
      const { state, effects } = step(this.#breaker, { kind: 'tick' }, clock.now(), this.figures.breaker);
      const owed = effects.flatMap((effect) => (effect.kind === 'release' ? [released(effect)] : []));
      if (owed.length > 0) {
        const admitted = await store.transact(async (transaction) => {
          await this.#keep(transaction, state);
          return notices.admitAll(transaction, owed);
        });
        notices.announce(admitted);
      }
      this.#breaker = state;
    });
    if (this.#breaker.kind === 'closed') await this.#releaseHeld();
    else this.#became(this.#breaker);
  }

  #noticesOf(record: Watched, facts: readonly Fact[]): readonly NewNotice[] {
    return facts.map((fact) => this.#noticeOf(record, fact));
  }

  #noticeOf({ id: process, session, command, name }: Watched, fact: Fact): NewNotice {
    const about = { process, command, ...(name && { name }) };
    switch (fact.kind) {
      case 'report': {
        const { text, number } = fact.match;
        const pattern = this.parts.redactor.redact(fact.match.pattern);
        const cause = { kind: 'watch_match', ...about, pattern, text, heldBack: fact.heldBack } as const;
        return { session, process, number, cause };
      }
      case 'disable': {
        const { strikes, heldBack } = fact;
        return { session, process, number: 0, cause: { kind: 'watch_disabled', ...about, strikes, heldBack } };
      }
      case 'trip':
        return { ...fact.by, cause: { kind: 'watch_overflow_tripped', process, ...this.figures.breaker } };
      case 'release':
        return released(fact);
    }
  }
}

const stateOf = ({ watch }: ProcessRecord): Watch => watch?.state ?? watching;

const released = ({ by, heldBack }: Extract<Fact, { kind: 'release' }>): NewNotice => ({
  ...by,
  cause: { kind: 'watch_overflow_released', process: by.process, heldBack },
});
