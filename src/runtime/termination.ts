/**
 * Bringing a process to its end: its whole tree, gently first.
 *
 *   signal the tree ──gone?──▶ done
 *        └─ grace over ──▶ stop everybody where they stand, SIGKILL them ──gone?──▶ done, or name the survivors
 *
 * The tree is looked up anew each time: what forks while it is being ended is found in the next round.
 */
import { pause, type Clock } from '../clock.js';
import type { ProcessId } from '../contract/ids.js';
import type { Signal } from '../contract/signal.js';
import type { Owned } from '../domain/process.js';
import type { Member, Place } from '../place.js';

const FIRST_LOOK_MS = 10;
const SLOWEST_LOOK_MS = 250;
const VERIFY_MS = 2_000;
/** A fork bomb is frozen before it is ended; so many rounds catch one that multiplies. */
const FREEZE_ROUNDS = 10;

export class Termination {
  constructor(
    readonly clock: Clock,
    readonly graceMs: number,
  ) {}

  /** The members that are still there in the end. `forced` is told before the first SIGKILL. */
  async end(
    place: Place,
    id: ProcessId,
    owned: Owned,
    signal: Signal,
    forced: () => Promise<void>,
  ): Promise<readonly Member[]> {
    if (signal !== 'SIGKILL') {
      await place.signal(owned, await place.members(id, owned), signal);
      // One that is stopped hears nothing until it goes on.
      await place.signal(owned, await place.members(id, owned), 'SIGCONT');
      if ((await this.#left(place, id, owned, this.graceMs)).length === 0) return [];
      await forced();
    }
    const frozen = await this.#freeze(place, id, owned);
    await place.signal(owned, frozen, 'SIGKILL');
    return this.#killUntilGone(place, id, owned);
  }

  async #left(place: Place, id: ProcessId, owned: Owned, withinMs: number): Promise<readonly Member[]> {
    const until = this.clock.monotonic() + withinMs;
    for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(SLOWEST_LOOK_MS, pauseMs * 1.5)) {
      const members = await place.members(id, owned);
      const leftMs = until - this.clock.monotonic();
      if (members.length === 0 || leftMs <= 0) return members;
      await pause(this.clock, Math.min(pauseMs, leftMs));
    }
  }

  async #freeze(place: Place, id: ProcessId, owned: Owned): Promise<readonly Member[]> {
    let members = await place.members(id, owned);
    for (let round = 0, known = -1; round < FREEZE_ROUNDS && members.length !== known; round++) {
      known = members.length;
      await place.signal(owned, members, 'SIGSTOP');
      members = await place.members(id, owned);
    }
    return members;
  }

  async #killUntilGone(place: Place, id: ProcessId, owned: Owned): Promise<readonly Member[]> {
    const until = this.clock.monotonic() + VERIFY_MS;
    for (;;) {
      const members = await this.#left(place, id, owned, 100);
      if (members.length === 0 || this.clock.monotonic() >= until) return members;
      await place.signal(owned, members, 'SIGKILL');
    }
  }
}
