/** Repeats work for as long as the host runs: sweeps, which catch what no bell rang for, and the deletion of old processes. */
import type { Clock } from '../../ports/clock.js';
import { outlived, withoutOwing, type RetentionLimits } from '../../domain/process/limits.js';
import type { Store } from '../../ports/store.js';
import { Alarms } from '../alarms.js';
import type { Tell } from '../events.js';
import type { Supervisor } from './supervisor.js';

const BELLS_MS = 2_000;
const ALL_MS = 15_000;
const FORGET_MS = 60_000;

export type UpkeepParts = {
  readonly supervisor: Supervisor;
  readonly store: Store;
  readonly clock: Clock;
  readonly retention: RetentionLimits;
  readonly tell: Tell;
};

export class Upkeep {
  readonly #alarms: Alarms<string>;

  constructor(readonly parts: UpkeepParts) {
    this.#alarms = new Alarms(parts.clock);
  }

  start(): void {
    this.#every(BELLS_MS, 'sweeping the bells', () => this.parts.supervisor.sweep(false));
    this.#every(ALL_MS, 'sweeping the processes', () => this.parts.supervisor.sweep(true));
    this.#every(FORGET_MS, 'forgetting ended processes', () => this.forget());
  }

  /** Adds work that is repeated as often as the sweep of all processes. */
  also(during: string, work: () => Promise<void>): void {
    this.#every(ALL_MS, during, work);
  }

  stop(): void {
    this.#alarms.stop();
  }

  async forget(): Promise<void> {
    const ended = await this.parts.store.processes.list({ state: 'ended' });
    const ids = outlived(
      ended.flatMap(({ id, lifecycle }) => (lifecycle.kind === 'ended' ? [{ id, endedAt: lifecycle.endedAt }] : [])),
      this.parts.retention,
      this.parts.clock.now(),
    );
    const forgettable = withoutOwing(ids, await this.parts.store.notices.owing(ids));
    if (forgettable.length === 0) return;
    await this.parts.supervisor.forget(forgettable);
    this.parts.tell({ kind: 'forgotten', count: forgettable.length });
  }

  #every(ms: number, during: string, work: () => Promise<void>): void {
    this.#alarms.set(during, ms, () => {
      work()
        .catch((error: unknown) => this.parts.tell({ kind: 'fault', during, error }))
        .finally(() => this.#every(ms, during, work));
    });
  }
}
