/**
 * Ending a process: its whole tree, gently first.
 *
 *   signal the tree ──gone?──▶ done
 *        └─ grace period over ──▶ stop all members where they are, SIGKILL them ──gone?──▶ done, or name the survivors
 *
 *   1. To find the tree, the whole place is read. That happens at the beginning and when all known members are gone, not
 *      while they end: so a kill reads twice, however long it takes.
 *   2. A member stays a member until it is dead, even when nothing shows its origin any more.
 *   3. One termination per process at a time; only a harder signal begins another.
 */
import { pause, type Clock } from '../../ports/clock.js';
import type { ProcessId } from '../../contract/ids.js';
import type { Signal } from '../../contract/process.js';
import { overtakes, type Owned } from '../../domain/process/process.js';
import type { Member, Place } from '../../ports/place.js';
import type { Tell } from '../events.js';

const FIRST_LOOK_MS = 10;
const SLOWEST_LOOK_MS = 250;
const VERIFY_MS = 2_000;
const VERIFY_STEP_MS = 100;
/** A fork bomb is frozen before it is killed; this many rounds catch one that multiplies. */
const FREEZE_ROUNDS = 10;

export type Target = { readonly place: Place; readonly id: ProcessId; readonly owned: Owned };
type Termination = { readonly signal: Signal; readonly survivors: Promise<readonly Member[]> };

export class Terminations {
  readonly #underWay = new Map<ProcessId, Termination>();

  constructor(
    readonly clock: Clock,
    readonly graceMs: number,
    readonly tell: Tell,
  ) {}

  /** The survivors of the termination that is under way; none without one. */
  async survivors(id: ProcessId): Promise<readonly Member[]> {
    return (await this.#underWay.get(id)?.survivors) ?? [];
  }

  /** `forced` is called before the first SIGKILL, `finished` at the end. */
  begin(target: Target, signal: Signal, forced: () => Promise<void>, finished: () => void): void {
    const { id } = target;
    if (!overtakes(signal, this.#underWay.get(id)?.signal)) return;
    const survivors = this.end(target, signal, forced)
      .catch((error: unknown) => {
        this.tell({ kind: 'fault', during: `ending ${id}`, error });
        return [];
      })
      .then((left) => {
        if (left.length > 0)
          this.tell({ kind: 'survivorsLeft', process: id, pids: left.map((member) => member.identity.pid) });
        if (this.#underWay.get(id)?.survivors === survivors) this.#underWay.delete(id);
        finished();
        return left;
      });
    this.#underWay.set(id, { signal, survivors });
  }

  /** The members that are still there in the end. */
  async end(target: Target, signal: Signal, forced: () => Promise<void>): Promise<readonly Member[]> {
    const { place, id, owned } = target;
    let known = await place.members(id, owned);
    if (signal !== 'SIGKILL') {
      await place.signal(owned, known, signal);
      // A stopped process handles no signal until it continues.
      await place.signal(owned, known, 'SIGCONT');
      known = await this.#left(target, known, this.graceMs);
      if (known.length === 0) return [];
      await forced();
    }
    const frozen = await this.#freeze(target, known);
    await place.signal(owned, frozen, 'SIGKILL');
    return this.#killUntilGone(target, frozen);
  }

  /** The members that are left when there are none, or when the time is up; new ones included. */
  async #left({ place, id, owned }: Target, before: readonly Member[], withinMs: number): Promise<readonly Member[]> {
    const until = this.clock.monotonic() + withinMs;
    let known = before;
    for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(SLOWEST_LOOK_MS, pauseMs * 1.5)) {
      const isOver = () => this.clock.monotonic() >= until;
      if (isOver() || (await place.countAlive(known.map(({ identity }) => identity))) === 0) {
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
