/** Looks at processes when a bell rings, at every sweep, or when asked, and sends what it sees to the machine. */
import type { ProcessId } from '../../contract/ids.js';
import { endedWithin, type Owned } from '../../domain/process/process.js';
import type { Sighting } from '../../ports/place.js';
import type { ProcessRecord } from '../../ports/store.js';
import { Drains } from '../drains.js';
import type { Ledger, LedgerParts } from './ledger.js';
import type { RunningProcesses } from './running.js';

const SHIM_DIED = 'never started: its shim died before the command could run';

export class Observation {
  readonly #looks: Drains<ProcessId>;
  readonly #bells: readonly Disposable[];

  constructor(
    readonly parts: LedgerParts,
    readonly ledger: Ledger,
    readonly running: RunningProcesses,
  ) {
    this.#looks = new Drains(
      (id) => this.#observe(id),
      (error) => parts.tell({ kind: 'fault', during: 'looking at a process', error }),
    );
    this.#bells = parts.places.all.map((place) => place.listen((id) => void this.lookAt(id)));
  }

  /** Resolves after a look that began after this call. */
  lookAt(id: ProcessId): Promise<void> {
    return this.#looks.wake(id);
  }

  /** Catches rings that were missed; with `all`, looks at every process that could not ring. */
  async sweep(all: boolean): Promise<void> {
    const heardAll = this.parts.places.all.map((place) => place.listenAgain()).every(Boolean);
    if (heardAll && !all) return;
    await this.running.checkOutputs();
    await Promise.all(this.ledger.unfinished.map((record) => this.#lookUnlessItRings(record)));
  }

  stop(): void {
    for (const bell of this.#bells) bell[Symbol.dispose]();
  }

  async #lookUnlessItRings(record: ProcessRecord): Promise<void> {
    const owned = this.running.growth(record.id) && ownedOf(record);
    // While it and its shim live, it will ring when there is news.
    const rings = owned && (await this.parts.places.of(record).countAlive([owned.shim, owned.command])) === 2;
    if (!rings) await this.lookAt(record.id);
  }

  async #observe(id: ProcessId): Promise<void> {
    const record = this.ledger.get(id);
    // A late ring of a process that has ended, or was forgotten.
    if (record) await this.#handle(record, await this.parts.places.of(record).look(id, ownedOf(record)));
  }

  async #handle(seen: ProcessRecord, sighting: Sighting): Promise<void> {
    const { id, startedAt, damage } = seen;
    if ('damage' in sighting && sighting.damage && !damage) await this.ledger.note(id, { damage: sighting.damage });
    switch (sighting.kind) {
      case 'unclaimed':
        return;
      case 'claimed':
        return sighting.alive ? undefined : this.ledger.apply(id, { kind: 'notStarted', why: SHIM_DIED });
      case 'running': {
        await this.ledger.apply(id, { kind: 'launched', owned: sighting.owned });
        const record = this.ledger.get(id);
        return record && this.running.attend(record);
      }
      case 'exited': {
        const owned = sighting.owned && { owned: sighting.owned };
        const at = endedWithin(sighting.at, startedAt, this.parts.clock.now());
        return this.ledger.apply(id, { kind: 'exited', record: sighting.record, at, ...owned });
      }
      case 'gone':
        return this.ledger.apply(id, { kind: 'vanished', why: sighting.why });
      case 'refused':
        return this.ledger.withdraw(seen, sighting.refusal);
    }
  }
}

const ownedOf = ({ lifecycle }: ProcessRecord): Owned | undefined =>
  lifecycle.kind === 'running' ? lifecycle.owned : undefined;
