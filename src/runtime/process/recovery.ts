/** After a start of the host: everything that had not ended is settled or taken up. */
import { pause, type Clock } from '../../ports/clock.js';
import type { ProcessRecord, Store } from '../../ports/store.js';
import type { Companions } from './companions.js';
import type { Tell } from '../events.js';
import type { Ledger } from './ledger.js';
import type { Observation } from './observation.js';
import type { Places } from '../output/places.js';
import type { Withdrawal } from './withdrawal.js';

/** What takes longer is settled while the host serves already. */
const LONGEST_MS = 2_000;

const NEVER_STARTED = 'never started: the host died before the command could run';

export class Recovery {
  constructor(
    readonly store: Store,
    readonly places: Places,
    readonly ledger: Ledger,
    readonly companions: Companions,
    readonly observation: Observation,
    readonly withdrawal: Withdrawal,
    readonly clock: Clock,
    readonly tell: Tell,
  ) {}

  async recover(): Promise<void> {
    const began = this.clock.monotonic();
    const unfinished = [
      ...(await this.store.processes.list({ state: 'starting' })),
      ...(await this.store.processes.list({ state: 'running' })),
    ];
    for (const record of unfinished) this.ledger.open(record);
    const resolved = Promise.all(
      unfinished.map((record) =>
        // One that cannot be looked at must not keep the others from being taken up; the sweeps try again.
        this.#resolve(record).catch((error: unknown) =>
          this.tell({ kind: 'fault', during: `taking up ${record.id}`, error }),
        ),
      ),
    );
    // A long output that still has to be searched for patterns must not keep the host from serving.
    const served = new AbortController();
    await Promise.race([resolved, pause(this.clock, LONGEST_MS, served.signal)]);
    served.abort();
    await this.#tellDamaged();
    await this.#tellStrangers();
    const running = this.ledger.unfinished.length;
    const tookMs = this.clock.monotonic() - began;
    this.tell({ kind: 'recovered', running, ended: unfinished.length - running, tookMs });
  }

  async #resolve(record: ProcessRecord): Promise<void> {
    if (!(await this.#neverStarted(record))) {
      await this.observation.lookAt(record.id);
      // Who asked for the start was cut off with the last host.
      this.observation.refusalOf(record.id);
    } else if (await this.places.of(record).check(record)) await this.withdrawal.takeBack(record);
    else await this.ledger.apply(record.id, { kind: 'notStarted', why: NEVER_STARTED });
  }

  /** A launch that nobody has claimed is called off here, so that a late one cannot run the command after all. */
  async #neverStarted(record: ProcessRecord): Promise<boolean> {
    if (record.lifecycle.kind !== 'starting') return false;
    const place = this.places.of(record);
    const sighting = await place.look(record.id);
    switch (sighting.kind) {
      case 'unclaimed':
        return place.abandon(record.id);
      case 'claimed':
        return !sighting.alive;
      case 'gone':
        return !sighting.owned;
      case 'running':
      case 'exited':
      case 'refused':
        return false;
    }
  }

  /** A row that cannot be read keeps nothing else from being taken up. */
  async #tellDamaged(): Promise<void> {
    for (const { id, why } of await this.store.processes.damaged())
      this.tell({ kind: 'fault', during: `reading the row of ${id}`, error: new Error(`It ${why}.`) });
  }

  /** Folders that no record knows are told and left alone: the store may be the one that has lost its memory. */
  async #tellStrangers(): Promise<void> {
    for (const place of this.places.all)
      for (const id of await place.folders())
        if (!this.ledger.get(id) && !(await this.store.processes.get(id)))
          this.tell({ kind: 'strangerFolder', process: id });
  }
}
