/** A process as people and programs see it. */
import { iso, type Clock } from '../../ports/clock.js';
import type { ProcessView, ProcessUsage } from '../../contract/process.js';
import { isRefusal } from '../../contract/refusal.js';
import { releasedBytes } from '../../domain/output/quota.js';
import type { ProcessRecord } from '../../ports/store.js';
import type { OutputReader } from '../output/output.js';
import type { Supervisor } from './supervisor.js';

/** Quieter than this, and a look is taken whether it waits for input. */
const QUIET_MS = 1_000;

export class Views {
  constructor(
    readonly supervisor: Supervisor,
    readonly reader: OutputReader,
    readonly clock: Clock,
  ) {}

  async of(record: ProcessRecord): Promise<ProcessView> {
    const { lifecycle } = record;
    const size = await this.#size(record);
    const owned = lifecycle.kind === 'starting' ? undefined : lifecycle.owned;
    return {
      id: record.id,
      ...(record.session && { session: record.session }),
      ...(record.name && { name: record.name }),
      command: record.command,
      cwd: record.cwd,
      place: record.place,
      pty: record.pty,
      state: lifecycle.kind,
      ...(owned && { pid: owned.command.pid }),
      startedAt: iso(record.startedAt),
      ...(lifecycle.kind === 'ended' && { endedAt: iso(lifecycle.endedAt), end: lifecycle.end }),
      ...(lifecycle.stop && {
        stop: { by: lifecycle.stop.by, signal: lifecycle.stop.signal, at: iso(lifecycle.stop.askedAt) },
      }),
      ...((await this.#waits(record)) && { waitingForInput: true }),
      notifyOnComplete: record.notifyOnComplete,
      watchPatterns: [...record.watchPatterns],
      ...(record.timeoutMs && { timeoutMs: record.timeoutMs }),
      outputBytes: size,
      releasedBytes: releasedBytes(record.released),
    };
  }

  /** What cannot be looked at is shown without it: one process must not hide the others of a list. */
  async #size(record: ProcessRecord): Promise<number> {
    const size = await this.reader.size(record).catch(() => 0);
    return isRefusal(size) ? (this.supervisor.growth(record.id)?.size ?? 0) : size;
  }

  async #waits(record: ProcessRecord): Promise<boolean> {
    const { id, lifecycle } = record;
    const growth = this.supervisor.growth(id);
    if (lifecycle.kind !== 'running' || !growth || this.clock.monotonic() - growth.lastGrewAt < QUIET_MS) return false;
    return this.supervisor.places
      .of(record)
      .waitsForInput(lifecycle.owned)
      .catch(() => false);
  }
}

/** What running processes use: each place is asked once for all that run there. */
export async function usageOfRunning({ unfinished, places }: Supervisor): Promise<readonly ProcessUsage[]> {
  const running = unfinished.flatMap(({ id, place, lifecycle }) =>
    lifecycle.kind === 'running' ? [{ id, place, owned: lifecycle.owned }] : [],
  );
  const used = await Promise.all(
    places.all.map(async (place) => place.usage(running.filter((process) => process.place === place.name))),
  );
  return used.flatMap((of) => [...(of ?? [])].map(([process, usage]) => ({ process, ...usage })));
}
