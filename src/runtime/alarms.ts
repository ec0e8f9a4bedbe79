/** At most one alarm per key: setting another one replaces it. */
import type { Alarm, Clock } from '../ports/clock.js';

export class Alarms<Key> {
  readonly #set = new Map<Key, Alarm>();
  #stopped = false;

  constructor(readonly clock: Clock) {}

  set(key: Key, afterMs: number, ring: () => void): void {
    this.clear(key);
    if (this.#stopped) return;
    const alarm = this.clock.alarm(Math.max(0, afterMs), () => {
      this.#set.delete(key);
      ring();
    });
    this.#set.set(key, alarm);
  }

  has(key: Key): boolean {
    return this.#set.has(key);
  }

  clear(key: Key): void {
    this.#set.get(key)?.clear();
    this.#set.delete(key);
  }

  /** Clears all of them; from here on none is set. */
  stop(): void {
    this.#stopped = true;
    for (const key of this.#set.keys()) this.clear(key);
  }
}
