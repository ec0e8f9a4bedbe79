/**
 * The processes that have not ended, and the only way in which they change: an input goes through the machine, the
 * new state is stored, then its effects are performed.
 *
 *   1. Inputs of one process are handled one after the other.
 *   2. Memory holds only what was stored: a store that fails leaves both as they were, and the news comes again.
 */
import type { Clock } from '../../ports/clock.js';
import type { ProcessId, SessionId } from '../../contract/ids.js';
import type { Refusal } from '../../contract/refusal.js';
import { step, type Effect, type Ended, type Input } from '../../domain/process/process.js';
import type { Redactor } from '../../domain/output/redaction.js';
import type { Durability, ProcessChange, ProcessRecord, Store, Transaction } from '../../ports/store.js';
import type { Tell } from '../events.js';
import type { NewNotice, Notices } from '../notice/notices.js';
import { Listeners } from '../listeners.js';
import type { Places } from '../output/places.js';
import { SerialQueue } from '../serial-queue.js';

/** What all parts of the supervisor work with. */
export type LedgerParts = {
  readonly store: Store;
  readonly places: Places;
  readonly notices: Notices;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly tell: Tell;
};

/** A change, and what must be stored with it, all or nothing. */
export type Change = {
  readonly change: ProcessChange;
  readonly owes?: readonly NewNotice[];
  readonly also?: (transaction: Transaction) => Promise<void>;
  readonly durability?: Durability;
  /** Called in the same turn, once all is stored. */
  readonly stored?: () => void;
};

export type Actor = {
  /** The end of a process, and what is stored with it. */
  endOf(record: ProcessRecord, end: Ended): Promise<Change>;
  perform(record: ProcessRecord, effect: Effect): void;
};

export type Heard = (id: ProcessId, session: SessionId | undefined) => void;

type Entry = { record: ProcessRecord; readonly ended: Deferred; readonly begun: Deferred };

/** A promise that is resolved later, with the refusal of a start that was withdrawn. */
type Deferred = { readonly promise: Promise<Refusal | undefined>; readonly resolve: (refusal?: Refusal) => void };

function deferred(): Deferred {
  let resolve: Deferred['resolve'] = () => undefined;
  const promise: Deferred['promise'] = new Promise((done) => (resolve = done));
  return { promise, resolve };
}

export class Ledger {
  readonly #entries = new Map<ProcessId, Entry>();
  readonly #turns = new SerialQueue<ProcessId>();
  readonly #listeners = new Listeners<Parameters<Heard>>();

  constructor(
    readonly parts: LedgerParts,
    readonly actor: Actor,
  ) {}

  get unfinished(): readonly ProcessRecord[] {
    return [...this.#entries.values()].map((entry) => entry.record);
  }

  get(id: ProcessId): ProcessRecord | undefined {
    return this.#entries.get(id)?.record;
  }

  /** The current record: from memory while the process has not ended, else from the store. */
  async find(id: ProcessId): Promise<ProcessRecord | undefined> {
    return this.get(id) ?? this.parts.store.processes.get(id);
  }

  /** Calls when a process may look different. Advice only: listeners look for themselves. */
  listen(heard: Heard): Disposable {
    return this.#listeners.listen(heard);
  }

  changed({ id, session }: Pick<ProcessRecord, 'id' | 'session'>): void {
    this.#listeners.notify(id, session);
  }

  open(record: ProcessRecord): void {
    this.#entries.set(record.id, { record, ended: deferred(), begun: deferred() });
    this.changed(record);
  }

  /**
   * Takes back a start that was refused: no folder, no row and no notice of it remain. The folder goes first: the next
   * host finds a row without a folder and takes it back again, but not a folder without a row.
   */
  async withdraw(record: ProcessRecord, refusal?: Refusal): Promise<void> {
    const { store, places, tell } = this.parts;
    const { id } = record;
    try {
      await places.of(record).remove(id);
      await store.transact((transaction) => transaction.processes.remove([id]));
    } catch (error) {
      // Usually a full disk. The next host finds what is left.
      tell({ kind: 'fault', during: `taking back the start of ${id}`, error });
    }
    this.#close(id, refusal);
  }

  /** Resolves when the process has ended; at once for one that is not unfinished. */
  async ended(id: ProcessId): Promise<void> {
    await this.#entries.get(id)?.ended.promise;
  }

  /** Resolves when the process runs or has ended, and when its start was withdrawn, with the refusal. */
  async begun(id: ProcessId): Promise<Refusal | undefined> {
    return this.#entries.get(id)?.begun.promise;
  }

  apply(id: ProcessId, input: Input): Promise<void> {
    return this.#inTurn(id, async (entry) => {
      const { state, effects } = step(entry.record.lifecycle, input, this.parts.clock.now());
      if (state === entry.record.lifecycle) return;
      // That it runs can be seen again; that it ended, perhaps not.
      const durability = input.kind === 'launched' ? 'crash' : 'power cut';
      const change =
        state.kind === 'ended' ? await this.actor.endOf(entry.record, state) : { change: { lifecycle: state } };
      await this.#store(entry, { ...change, durability });
      if (state.kind !== 'starting') entry.begun.resolve();
      for (const effect of effects) this.#perform(entry, effect);
    });
  }

  note(id: ProcessId, change: Omit<ProcessChange, 'lifecycle'>): Promise<void> {
    return this.#inTurn(id, (entry) => this.#store(entry, { change }));
  }

  /** Decides in the turn of the process, on what is known of it then; never for one that has ended. */
  change(
    id: ProcessId,
    decide: (record: ProcessRecord, store: (change: Change) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    return this.#inTurn(id, (entry) => decide(entry.record, (change) => this.#store(entry, change)));
  }

  #inTurn(id: ProcessId, work: (entry: Entry) => Promise<void>): Promise<void> {
    return this.#turns.run(id, async () => {
      const entry = this.#entries.get(id);
      if (entry) await work(entry);
    });
  }

  async #store(entry: Entry, { change, owes = [], also, durability, stored }: Change): Promise<void> {
    const { store, notices } = this.parts;
    const admitted = await store.transact(async (transaction) => {
      await transaction.processes.update(entry.record.id, change);
      await also?.(transaction);
      return notices.admitAll(transaction, owes);
    }, durability);
    entry.record = { ...entry.record, ...change };
    stored?.();
    const { watch: _unseen, ...seen } = change;
    if (Object.keys(seen).length > 0) this.changed(entry.record);
    notices.announce(admitted);
  }

  #perform({ record }: Entry, effect: Effect): void {
    const { id, lifecycle } = record;
    if (effect.kind === 'announceEnd' && lifecycle.kind === 'ended') {
      const { clock, tell } = this.parts;
      tell({ kind: 'processEnded', process: id, end: lifecycle.end, afterMs: clock.now() - lifecycle.endedAt });
      this.#close(id);
    }
    this.actor.perform(record, effect);
  }

  #close(id: ProcessId, refusal?: Refusal): void {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    entry?.begun.resolve(refusal);
    entry?.ended.resolve();
    if (entry) this.changed(entry.record);
  }
}
