/** Takes back a start that was turned down: afterwards there is no folder, no row and no notice of it. */
import type { ProcessRecord, Store } from '../../ports/store.js';
import type { Tell } from '../events.js';
import type { Ledger } from './ledger.js';
import type { Places } from '../output/places.js';

export class Withdrawal {
  constructor(
    readonly store: Store,
    readonly places: Places,
    readonly ledger: Ledger,
    readonly tell: Tell,
  ) {}

  /** The folder goes first: a row without one is found by the next host and taken back again, a folder without a row is not. */
  async takeBack(record: ProcessRecord): Promise<void> {
    const { id } = record;
    try {
      await this.places.of(record).remove(id);
      await this.store.transact((transaction) => transaction.processes.remove([id]));
    } catch (error) {
      // A full disk, mostly. The next host finds what is left.
      this.tell({ kind: 'fault', during: `taking back the start of ${id}`, error });
    }
    this.ledger.close(id);
    this.ledger.changed(record);
  }
}
