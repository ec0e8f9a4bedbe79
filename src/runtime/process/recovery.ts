/** At the start of the host: everything that had not ended continues, or gets its end. */
import { pause } from '../../ports/clock.js';
import type { ProcessRecord } from '../../ports/store.js';
import type { Ledger, LedgerParts } from './ledger.js';
import type { Observation } from './observation.js';

/** What takes longer continues while the host already serves. */
const LONGEST_MS = 2_000;

const NEVER_STARTED = 'never started: the host died before the command could run';

export class Recovery {
  constructor(
    readonly parts: LedgerParts,
    readonly ledger: Ledger,
    readonly observation: Observation,
  ) {}

  async recover(): Promise<void> {
    const { store, clock, tell } = this.parts;
    const began = clock.monotonic();
    const unfinished = [
      ...(await store.processes.list({ state: 'starting' })),
      ...(await store.processes.list({ state: 'running' })),
    ];
    for (const record of unfinished) this.ledger.open(record);
    const resolved = Promise.all(
      unfinished.map((record) =>
        // One that cannot be looked at must not delay the others; the sweeps try again.
        this.#resolve(record).catch((error: unknown) =>
          tell({ kind: 'fault', during: `recovering ${record.id}`, error }),
        ),
      ),
    );
    // A long output that still has to be searched for patterns must not delay the host.
    const served = new AbortController();
    await Promise.race([resolved, pause(clock, LONGEST_MS, served.signal)]);
    served.abort();
    await this.#reportDamaged();
    await this.#reportStrangers();
    const running = this.ledger.unfinished.length;
    const tookMs = clock.monotonic() - began;
    tell({ kind: 'recovered', running, ended: unfinished.length - running, tookMs });
  }

  async #resolve(record: ProcessRecord): Promise<void> {
    if (!(await this.#neverStarted(record))) await this.observation.lookAt(record.id);
    else if (await this.parts.places.of(record).check(record)) await this.ledger.withdraw(record);
    else await this.ledger.apply(record.id, { kind: 'notStarted', why: NEVER_STARTED });
  }

  /** A launch that no shim has claimed is called off, so that a late one cannot run the command after all. */
  async #neverStarted(record: ProcessRecord): Promise<boolean> {
    if (record.lifecycle.kind !== 'starting') return false;
    const place = this.parts.places.of(record);
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

  async #reportDamaged(): Promise<void> {
    const { store, tell } = this.parts;
    for (const { id, why } of await store.processes.damaged())
      tell({ kind: 'fault', during: `reading the row of ${id}`, error: new Error(`It ${why}.`) });
  }

  /** Folders without a record are reported and left alone: it may be the store that has lost its memory. */
  async #reportStrangers(): Promise<void> {
    const { store, places, tell } = this.parts;
    for (const place of places.all)
      for (const id of await place.folders())
        if (!this.ledger.get(id) && !(await store.processes.get(id))) tell({ kind: 'strangerFolder', process: id });
  }
}
