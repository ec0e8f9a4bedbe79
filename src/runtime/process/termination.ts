/**
 * Bringing a process to its end: its whole tree, gently first.
 *
 *   signal the tree ──gone?──▶ done
 *        └─ grace over ──▶ stop them all where they stand, SIGKILL them ──gone?──▶ done, or name the survivors
 *
 *   1. To look up the tree is to look at the whole place. It is done to begin with and when all known members are gone,
 *      not while they end: so a kill looks twice, however long it takes.
 *   2. Who was a member once stays one until dead, even where nothing tells his origin any more.
 */
import { pause, type Clock } from '../../ports/clock.js';
import type { ProcessId } from '../../contract/ids.js';
import type { Signal } from '../../contract/process.js';
import type { Owned } from '../../domain/process/process.js';
import type { Member, Place } from '../../ports/place.js';

const FIRST_LOOK_MS = 10;
const SLOWEST_LOOK_MS = 250;
const VERIFY_MS = 2_000;
const VERIFY_STEP_MS = 100;
/** A fork bomb is frozen before it is ended; so many rounds catch one that multiplies. */
const FREEZE_ROUNDS = 10;

type Target = { readonly place: Place; readonly id: ProcessId; readonly owned: Owned };

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
    const target = { place, id, owned };
    let known = await place.members(id, owned);
    if (signal !== 'SIGKILL') {
      await place.signal(owned, known, signal);
      // One that is stopped hears nothing until it goes on.
      await place.signal(owned, known, 'SIGCONT');
      known = await this.#left(target, known, this.graceMs);
      if (known.length === 0) return [];
      await forced();
    }
    const frozen = await this.#freeze(target, known);
    await place.signal(owned, frozen, 'SIGKILL');
    return this.#killUntilGone(target, frozen);
  }

  /** Who is left when nobody is, or when the time is up; those included who were not known before. */
  async #left({ place, id, owned }: Target, before: readonly Member[], withinMs: number): Promise<readonly Member[]> {
    const until = this.clock.monotonic() + withinMs;
    let known = before;
    for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(SLOWEST_LOOK_MS, pauseMs * 1.5)) {
      const isOver = () => this.clock.monotonic() >= until;
      if (isOver() || (await place.stillAlive(known)).length === 0) {
        known = await place.members(id, owned, known);
        if (known.length === 0 || isOver()) return known;
      }
      await pause(this.clock, Math.min(pauseMs, Math.max(1, until - this.clock.monotonic())));
    }
  }

  async #freeze({ place, id, owned }: Target, known: readonly Member[]): Promise<readonly Member[]> {
    let members = known;
    for (let round = 0, before = -1; round < FREEZE_ROUNDS && members.length !== before; round++) {
      before = members.length;
      await place.signal(owned, members, 'SIGSTOP');
      members = await place.members(id, owned, members);
    }
    return members;
  }

  async #killUntilGone(target: Target, known: readonly Member[]): Promise<readonly Member[]> {
    const { place, owned } = target;
    const until = this.clock.monotonic() + VERIFY_MS;
    for (let members = known; ; await place.signal(owned, members, 'SIGKILL')) {
      members = await this.#left(target, members, VERIFY_STEP_MS);
      if (members.length === 0 || this.clock.monotonic() >= until) return members;
    }
  }
}
