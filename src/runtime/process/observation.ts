/** Looking at processes: something rang, a sweep came by, or somebody wants to know. */
import type { Clock } from '../../ports/clock.js';
import type { ProcessId } from '../../contract/ids.js';
import type { Refusal } from '../../contract/refusal.js';
import { endedWithin, type Owned } from '../../domain/process/process.js';
import type { Sighting } from '../../ports/place.js';
import type { ProcessRecord } from '../../ports/store.js';
import type { Companions } from './companions.js';
import type { Tell } from '../events.js';
import type { Ledger } from './ledger.js';
import type { Places } from '../output/places.js';
import { Wakes } from '../wakes.js';
import type { Withdrawal } from './withdrawal.js';

const SHIM_DIED = 'never started: its shim died before the command could run';

export class Observation {
  readonly #refusals = new Map<ProcessId, Refusal>();
  readonly #looks: Wakes<ProcessId>;
  readonly #bells: readonly Disposable[];

  constructor(
    readonly places: Places,
    readonly ledger: Ledger,
    readonly companions: Companions,
    readonly withdrawal: Withdrawal,
    readonly clock: Clock,
    tell: Tell,
  ) {
    this.#looks = new Wakes(
      (id) => this.#observe(id),
      (error) => tell({ kind: 'fault', during: 'looking at a process', error }),
    );
    this.#bells = places.all.map((place) => place.listen((id) => void this.lookAt(id)));
  }

  /** Over when a look that began after this call is. */
  lookAt(id: ProcessId): Promise<void> {
    return this.#looks.wake(id);
  }

  /** Why the shim turned this start down, told once. It has been taken back by then. */
  refusalOf(id: ProcessId): Refusal | undefined {
    const refusal = this.#refusals.get(id);
    this.#refusals.delete(id);
    return refusal;
  }

  /** The net under the bells: hears what was rung and not heard, and with `all` looks at whoever could not ring. */
  async sweep(all: boolean): Promise<void> {
    const heardAll = this.places.all.map((place) => place.listenAgain()).every(Boolean);
    if (heardAll && !all) return;
    await this.companions.checkOutputs();
    await Promise.all(this.ledger.unfinished.map((record) => this.#lookUnlessKept(record)));
  }

  stop(): void {
    for (const bell of this.#bells) bell[Symbol.dispose]();
  }

  async #lookUnlessKept(record: ProcessRecord): Promise<void> {
    const owned = this.companions.growth(record.id) && ownedOf(record);
    if (!owned || !(await this.places.of(record).isKept(owned))) await this.lookAt(record.id);
  }

  async #observe(id: ProcessId): Promise<void> {
    const record = this.ledger.get(id);
    // A late ring of a process that has ended, or was forgotten.
    if (record) await this.#heed(record, await this.places.of(record).look(id, ownedOf(record)));
  }

  async #heed(seen: ProcessRecord, sighting: Sighting): Promise<void> {
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
        return record && this.companions.takeUp(record);
      }
      case 'exited': {
        const owned = sighting.owned && { owned: sighting.owned };
        const at = endedWithin(sighting.at, startedAt, this.clock.now());
        return this.ledger.apply(id, { kind: 'exited', record: sighting.record, at, ...owned });
      }
      case 'gone':
        return this.ledger.apply(id, { kind: 'vanished', why: sighting.why });
      case 'refused':
        this.#refusals.set(id, sighting.refusal);
        return this.withdrawal.takeBack(seen);
    }
  }
}

const ownedOf = ({ lifecycle }: ProcessRecord): Owned | undefined =>
  lifecycle.kind === 'running' ? lifecycle.owned : undefined;
