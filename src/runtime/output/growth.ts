/**
 * How large the output of one running process is.
 *
 *   quiet: waits for one file event ──event──▶ growing: looks every few ms ──no growth──▶ quiet
 *
 * A process that prints nothing costs nothing; one that prints a million times a second costs a look every few
 * milliseconds, and no event at all. Beyond the quota the middle is released on the way.
 */
import type { Alarm, Clock } from '../../ports/clock.js';
import type { ProcessId } from '../../contract/ids.js';
import { isRefusal } from '../../contract/refusal.js';
import { release, releasedBytes, type Released } from '../../domain/output/quota.js';
import type { Place } from '../../ports/place.js';
import type { Tell } from '../events.js';

export type GrowthParts = {
  readonly process: { readonly id: ProcessId; readonly released: Released; readonly damage?: string };
  readonly place: Place;
  readonly clock: Clock;
  readonly quotaBytes: number;
  readonly note: (change: { readonly released: Released } | { readonly damage: string }) => Promise<void>;
  readonly tell: Tell;
};

const FOLLOWED_MS = 10;
const SHORTEST_MS = 5;
const LONGEST_MS = 500;
/** A disk that gave no blocks back is asked again this much later: it may have been a moment without processes. */
const RELEASE_AGAIN_MS = 60_000;

export class Growth {
  size = 0;
  lastGrewAt: number;
  #released: Released;
  #damaged: boolean;
  #refusedReleaseAt: number | undefined;
  #lookedAt: number | undefined;
  #alarm: Alarm | undefined;
  #watch: Disposable | undefined;
  #looking: Promise<void> | undefined;
  #stopped = false;
  readonly #followers = new Set<() => void>();

  constructor(readonly parts: GrowthParts) {
    this.#released = parts.process.released;
    this.#damaged = parts.process.damage !== undefined;
    this.lastGrewAt = parts.clock.monotonic();
  }

  get released(): Released {
    return this.#released;
  }

  get #id(): ProcessId {
    return this.parts.process.id;
  }

  /** Calls after each growth, and once when the process has ended. */
  follow(grew: () => void): Disposable {
    this.#followers.add(grew);
    this.look();
    return { [Symbol.dispose]: () => this.#followers.delete(grew) };
  }

  /** Looks now, and from then on by itself. */
  look(): void {
    if (this.#stopped) return;
    this.#looking ??= this.#lookOnce()
      .catch((error: unknown) => {
        this.parts.tell({ kind: 'fault', during: `looking at the output of ${this.#id}`, error });
        this.#lookAgainIn(LONGEST_MS);
      })
      .finally(() => (this.#looking = undefined));
  }

  /** The net under the file event: looks only if something was missed. */
  async check(): Promise<void> {
    if (this.#stopped || this.#looking) return;
    if ((await this.parts.place.outputSize(this.#id)) !== this.size) this.look();
  }

  stop(): void {
    this.#stopped = true;
    this.#alarm?.clear();
    this.#watch?.[Symbol.dispose]();
    for (const grew of this.#followers) grew();
  }

  async #lookOnce(): Promise<void> {
    this.#alarm?.clear();
    this.#watch?.[Symbol.dispose]();
    const before = { size: this.size, at: this.#lookedAt };
    const now = this.parts.clock.monotonic();
    if (!(await this.#measure())) {
      this.#lookedAt = undefined;
      return this.#waitForChange();
    }
    // After a quiet nothing is known of the rate; then it is taken for high.
    const rate = before.at === undefined ? Infinity : (this.size - before.size) / Math.max(1, now - before.at);
    this.#lookedAt = now;
    await this.#keepWithinQuota();
    for (const grew of this.#followers) grew();
    this.#lookAgainIn(this.#followers.size > 0 ? FOLLOWED_MS : this.#untilHalfFull(rate));
  }

  /** True when there is more than before. */
  async #measure(): Promise<boolean> {
    const found = await this.parts.place.outputSize(this.#id);
    if (isRefusal(found)) await this.#noteDamage(found.why);
    else if (found < this.size)
      await this.#noteDamage(
        `The command truncated its own output file: ${this.size} bytes were there, ${found} were left.`,
      );
    const size = isRefusal(found) ? this.size : found;
    const grew = size > this.size;
    this.size = size;
    if (grew) this.lastGrewAt = this.parts.clock.monotonic();
    return grew;
  }

  async #waitForChange(): Promise<void> {
    if (this.#stopped) return;
    this.#watch = this.parts.place.listenToOutput(this.#id, () => this.look());
    // What was written between the last look and the watch causes no event. The next look finds it: followers and the
    // quota are served only there.
    const found = await this.parts.place.outputSize(this.#id);
    if (!isRefusal(found) && found !== this.size) this.#lookAgainIn(SHORTEST_MS);
  }

  #lookAgainIn(ms: number): void {
    if (!this.#stopped) this.#alarm = this.parts.clock.alarm(ms, () => this.look());
  }

  #untilHalfFull(bytesPerMs: number): number {
    if (this.#refusedLately()) return LONGEST_MS;
    const room = this.parts.quotaBytes - (this.size - releasedBytes(this.#released));
    return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, room / 2 / Math.max(1, bytesPerMs)));
  }

  async #keepWithinQuota(): Promise<void> {
    const wanted = release(this.size, this.#released, this.parts.quotaBytes);
    if (wanted === this.#released || this.#refusedLately()) return;
    // Stored first: a reader may learn that bytes are gone which are still there, never the other way round.
    await this.parts.note({ released: wanted });
    if (!(await this.parts.place.releaseOutput(this.#id, this.#released.to || wanted.from, wanted.to)))
      return this.#noteNotReleasable();
    this.#refusedReleaseAt = undefined;
    const bytes = releasedBytes(wanted) - releasedBytes(this.#released);
    this.#released = wanted;
    this.parts.tell({ kind: 'outputReleased', process: this.#id, bytes });
  }

  #refusedLately(): boolean {
    return (
      this.#refusedReleaseAt !== undefined && this.parts.clock.monotonic() < this.#refusedReleaseAt + RELEASE_AGAIN_MS
    );
  }

  async #noteNotReleasable(): Promise<void> {
    await this.parts.note({ released: this.#released });
    if (this.#refusedReleaseAt === undefined) this.parts.tell({ kind: 'outputNotReleasable', process: this.#id });
    this.#refusedReleaseAt = this.parts.clock.monotonic();
  }

  async #noteDamage(why: string): Promise<void> {
    if (this.#damaged) return;
    this.#damaged = true;
    this.parts.tell({ kind: 'outputDamaged', process: this.#id, why });
    await this.parts.note({ damage: why });
  }
}
