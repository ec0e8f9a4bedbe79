/**
 * The processes that have not ended, and the one way in which they change: an input goes through the machine, the
 * new state is stored, then its effects are performed.
 *
 *   1. Inputs of one process are taken one after the other.
 *   2. What memory says was stored before: a store that fails leaves both as they were, and the news come again.
 */
import type { Clock } from '../../ports/clock.js';
import type { ProcessId, SessionId } from '../../contract/ids.js';
import { step, type Effect, type Ended, type Input } from '../../domain/process/process.js';
import type { Durability, ProcessChange, ProcessRecord, Store, Transaction, WatchRecord } from '../../ports/store.js';
import type { Tell } from '../events.js';
import type { NewNotice, Notices } from '../notice/notices.js';

/** Who acts on what was stored. */
export type Company = {
  /** The end, and what to settle together with it. */
  settled(record: ProcessRecord, end: Ended): Promise<ProcessChange>;
  /** What is owed for the end, and how its watch ends: remembered with it, or not at all. */
  owesFor(record: ProcessRecord, end: Ended, change: ProcessChange): Promise<Owing>;
  perform(record: ProcessRecord, effect: Effect): void;
};

export type Owing = { readonly owes: readonly NewNotice[]; readonly watch?: WatchRecord };

/** A change, and what must be remembered with it, all or nothing. */
export type Change = {
  readonly change: ProcessChange;
  readonly owes?: readonly NewNotice[];
  readonly also?: (transaction: Transaction) => Promise<void>;
  readonly durability?: Durability;
  /** Done in the same turn, once all is stored. */
  readonly stored?: () => void;
};

export const NOTHING_OWED: Owing = { owes: [] };

export type Heard = (id: ProcessId, session: SessionId | undefined) => void;

type Entry = { record: ProcessRecord; last: Promise<unknown>; readonly ended: Deferred; readonly begun: Deferred };
type Deferred = { readonly promise: Promise<void>; readonly resolve: () => void };

function deferred(): Deferred {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

export class Ledger {
  readonly #entries = new Map<ProcessId, Entry>();
  readonly #listeners = new Set<Heard>();

  constructor(
    readonly store: Store,
    readonly notices: Notices,
    readonly clock: Clock,
    readonly tell: Tell,
    readonly company: Company,
  ) {}

  get unfinished(): readonly ProcessRecord[] {
    return [...this.#entries.values()].map((entry) => entry.record);
  }

  get(id: ProcessId): ProcessRecord | undefined {
    return this.#entries.get(id)?.record;
  }

  /** Calls when a process may look different. Advice only: whoever hears it looks. */
  listen(heard: Heard): Disposable {
    this.#listeners.add(heard);
    return { [Symbol.dispose]: () => this.#listeners.delete(heard) };
  }

  changed({ id, session }: Pick<ProcessRecord, 'id' | 'session'>): void {
    for (const heard of this.#listeners) heard(id, session);
  }

  open(record: ProcessRecord): void {
    this.#entries.set(record.id, { record, last: Promise.resolve(), ended: deferred(), begun: deferred() });
    this.changed(record);
  }

  close(id: ProcessId): void {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    entry?.begun.resolve();
    entry?.ended.resolve();
    if (entry) this.changed(entry.record);
  }

  /** Over when the process has ended; at once for one that is not unfinished. */
  ended(id: ProcessId): Promise<void> {
    return this.#entries.get(id)?.ended.promise ?? Promise.resolve();
  }

  /** Over when the process runs or has ended. */
  begun(id: ProcessId): Promise<void> {
    return this.#entries.get(id)?.begun.promise ?? Promise.resolve();
  }

  apply(id: ProcessId, input: Input): Promise<void> {
    return this.#inTurn(id, async (entry) => {
      const { state, effects } = step(entry.record.lifecycle, input, this.clock.now());
      if (state === entry.record.lifecycle) return;
      const ends = state.kind === 'ended';
      const settled = ends ? await this.company.settled(entry.record, state) : { lifecycle: state };
      const { owes, watch } = ends ? await this.company.owesFor(entry.record, state, settled) : NOTHING_OWED;
      const change = watch ? { ...settled, watch } : settled;
      // That it runs can be seen again; that it ended, perhaps not.
      await this.#remember(entry, { change, owes, durability: input.kind === 'launched' ? 'crash' : 'power cut' });
      if (state.kind !== 'starting') entry.begun.resolve();
      for (const effect of effects) this.#carryOut(entry, effect);
    });
  }

  note(id: ProcessId, change: Omit<ProcessChange, 'lifecycle'>): Promise<void> {
    return this.#inTurn(id, (entry) => this.#remember(entry, { change }));
  }

  /** Decided in the turn of the process, on what is known of it then; never for one that has ended. */
  change(
    id: ProcessId,
    decide: (record: ProcessRecord, remember: (change: Change) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    return this.#inTurn(id, (entry) => decide(entry.record, (change) => this.#remember(entry, change)));
  }

  #inTurn(id: ProcessId, work: (entry: Entry) => Promise<void>): Promise<void> {
    const entry = this.#entries.get(id);
    if (!entry) return Promise.resolve();
    const turn = entry.last.then(() => (this.#entries.has(id) ? work(entry) : undefined));
    // A turn that fails is told to whoever took it; the next one must not inherit the failure.
    entry.last = turn.catch(() => undefined);
    return turn;
  }

  async #remember(entry: Entry, { change, owes = [], also, durability, stored }: Change): Promise<void> {
    const admitted = await this.store.transact(async (transaction) => {
      await transaction.processes.update(entry.record.id, change);
      await also?.(transaction);
      return inOrder(owes, (notice) => this.notices.admit(transaction, notice));
    }, durability);
    entry.record = { ...entry.record, ...change };
    stored?.();
    const { watch: _unseen, ...seen } = change;
    if (Object.keys(seen).length > 0) this.changed(entry.record);
    this.notices.announce(admitted);
  }

  #carryOut(entry: Entry, effect: Effect): void {
    const { id, lifecycle } = entry.record;
    if (effect.kind === 'announceEnd' && lifecycle.kind === 'ended') {
      this.tell({
        kind: 'processEnded',
        process: id,
        end: lifecycle.end,
        afterMs: this.clock.now() - lifecycle.endedAt,
      });
      this.close(id);
    }
    this.company.perform(entry.record, effect);
  }
}

async function inOrder<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
