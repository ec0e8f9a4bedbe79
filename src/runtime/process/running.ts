/** What a running process needs from the host: eyes on its output, the watch for its patterns, and its time limit. */
import type { ProcessId } from '../../contract/ids.js';
import type { Effect, Ended } from '../../domain/process/process.js';
import { releasedBytes } from '../../domain/output/quota.js';
import type { Place } from '../../ports/place.js';
import type { ProcessRecord } from '../../ports/store.js';
import { Alarms } from '../alarms.js';
import { Growth, type GrowthParts } from '../output/growth.js';
import type { Watching } from '../notice/watching.js';
import type { Ending } from './ending.js';
import type { Actor, Change, Ledger, LedgerParts } from './ledger.js';
import { Terminations } from './termination.js';

export type RunningSettings = { readonly quotaBytes: number; readonly graceMs: number };

export type RunningParts = LedgerParts & {
  readonly settings: RunningSettings;
  readonly watching: Watching;
  readonly ending: Ending;
  readonly ledger: () => Ledger;
  readonly lookAt: (id: ProcessId) => void;
};

export class RunningProcesses implements Actor {
  readonly #growths = new Map<ProcessId, Growth>();
  readonly #limits: Alarms<ProcessId>;
  readonly terminations: Terminations;
  #stopped = false;

  constructor(readonly parts: RunningParts) {
    this.#limits = new Alarms(parts.clock);
    this.terminations = new Terminations(parts.clock, parts.settings.graceMs, parts.tell);
  }

  growth(id: ProcessId): Growth | undefined {
    return this.#growths.get(id);
  }

  /** For a process that is seen to run. Again for the same one: nothing. */
  attend(record: ProcessRecord): void {
    const { id, lifecycle, timeoutMs } = record;
    if (this.#stopped || this.#growths.has(id) || lifecycle.kind !== 'running') return;
    const place = this.parts.places.of(record);
    const growth = this.#growthOf(record, place);
    this.#growths.set(id, growth);
    place.settle(id);
    growth.look();
    this.parts.watching.begin(record, growth);
    if (timeoutMs) this.#limit(record, timeoutMs);
    if (lifecycle.stop) this.#terminate(record);
  }

  endOf(record: ProcessRecord, end: Ended): Promise<Change> {
    return this.parts.ending.of(record, end, this.growth(record.id)?.size ?? 0);
  }

  perform(record: ProcessRecord, effect: Effect): void {
    switch (effect.kind) {
      case 'terminate':
        return this.#terminate(record);
      case 'announceEnd':
        return this.#letGo(record);
    }
  }

  async checkOutputs(): Promise<void> {
    for (const growth of this.#growths.values()) await growth.check();
  }

  stop(): void {
    this.#stopped = true;
    this.#limits.stop();
    for (const growth of this.#growths.values()) growth.stop();
  }

  #growthOf(process: ProcessRecord, place: Place): Growth {
    const { clock, tell, ledger } = this.parts;
    const { quotaBytes } = this.parts.settings;
    const note: GrowthParts['note'] = (change) => ledger().note(process.id, change);
    return new Growth({ process, place, clock, quotaBytes, note, tell });
  }

  #limit({ id, startedAt }: ProcessRecord, timeoutMs: number): void {
    const { clock, tell, ledger } = this.parts;
    // A clock that was set back must not prolong it.
    const leftMs = Math.min(timeoutMs, startedAt + timeoutMs - clock.now());
    this.#limits.set(id, leftMs, () => {
      tell({ kind: 'stopAsked', process: id, by: 'limit', signal: 'SIGTERM' });
      ledger()
        .apply(id, { kind: 'stopAsked', by: `limit of ${timeoutMs} ms`, signal: 'SIGTERM' })
        .catch((error: unknown) => tell({ kind: 'fault', during: `ending ${id} at its limit`, error }));
    });
  }

  #terminate(record: ProcessRecord): void {
    const { places, ledger, lookAt } = this.parts;
    const { id, lifecycle } = record;
    if (lifecycle.kind !== 'running' || !lifecycle.stop) return;
    const target = { place: places.of(record), id, owned: lifecycle.owned };
    const forced = () => ledger().apply(id, { kind: 'graceOver' });
    this.terminations.begin(target, lifecycle.stop.signal, forced, () => lookAt(id));
  }

  #letGo(record: ProcessRecord): void {
    const { id, released, damage } = record;
    const { places, tell, watching } = this.parts;
    const place = places.of(record);
    watching.stop(id);
    this.#growths.get(id)?.stop();
    this.#growths.delete(id);
    this.#limits.clear(id);
    place.settle(id);
    if (releasedBytes(released) === 0 || damage) return;
    // What the last look found over the quota, now that the record says that it is gone.
    place
      .releaseOutput(id, released.from, released.to)
      .then((done) => done || tell({ kind: 'outputNotReleasable', process: id }))
      .catch((error: unknown) => tell({ kind: 'fault', during: `releasing output of ${id}`, error }));
  }
}
