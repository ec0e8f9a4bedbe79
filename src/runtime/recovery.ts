/** After a start of the host: everything that had not ended is settled or taken up. */
import type { Clock } from '../clock.js';
import type { ProcessRecord, Store } from '../store.js';
import type { Companions } from './companions.js';
import type { Tell } from './events.js';
import type { Ledger } from './ledger.js';
import type { Observation } from './observation.js';
import type { Places } from './places.js';

const NEVER_STARTED = 'never started: the host died before the command could run';

export class Recovery {
  constructor(
    readonly store: Store,
    readonly places: Places,
    readonly ledger: Ledger,
    readonly companions: Companions,
    readonly observation: Observation,
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
    await Promise.all(unfinished.map((record) => this.#resolve(record)));
    await this.#sweepFolders();
    const running = this.ledger.unfinished.length;
    const tookMs = this.clock.monotonic() - began;
    this.tell({ kind: 'recovered', running, ended: unfinished.length - running, tookMs });
  }

  async #resolve(record: ProcessRecord): Promise<void> {
    if (await this.#neverStarted(record))
      await this.ledger.apply(record.id, { kind: 'notStarted', why: NEVER_STARTED });
    else await this.observation.lookAt(record.id);
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

  /** Folders that no record knows: left over from a forgetting that was cut short. One that still runs is left alone. */
  async #sweepFolders(): Promise<void> {
    for (const place of this.places.all)
      for (const id of await place.folders()) {
        if (this.ledger.get(id) ?? (await this.store.processes.get(id))) continue;
        const { kind } = await place.look(id);
        if (kind === 'running' || kind === 'claimed') this.tell({ kind: 'strangerFolder', process: id });
        else await place.remove(id);
      }
  }
}
