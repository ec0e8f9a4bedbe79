import type { Alarm, Clock } from '../ports/clock.js';

/** Notices when nothing has been heard for too long. Hearing something costs one look at the clock, and no timer. */
export class Silence implements Disposable {
  readonly #given = new AbortController();
  #heardAt: number;
  #alarm: Alarm;

  constructor(
    readonly clock: Clock,
    readonly longestMs: number,
  ) {
    this.#heardAt = clock.monotonic();
    this.#alarm = clock.alarm(longestMs, () => this.#check());
  }

  /** Aborted when the silence has lasted too long. */
  get signal(): AbortSignal {
    return this.#given.signal;
  }

  get over(): boolean {
    return this.signal.aborted;
  }

  broken(): void {
    this.#heardAt = this.clock.monotonic();
  }

  #check(): void {
    const left = this.#heardAt + this.longestMs - this.clock.monotonic();
    if (left <= 0) this.#given.abort();
    else this.#alarm = this.clock.alarm(left, () => this.#check());
  }

  [Symbol.dispose](): void {
    this.#alarm.clear();
  }
}
