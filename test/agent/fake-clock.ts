/** Time that stands still until a test moves it. */
import type { Clock } from '../../src/ports/clock.js';
import { until } from '../support/until.js';

type Waiting = { readonly dueAt: number; readonly ring: () => void };

export class FakeClock implements Clock {
  #now = 0;
  readonly #waiting = new Set<Waiting>();

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  alarm(afterMs: number, ring: () => void) {
    const waiting = { dueAt: this.#now + afterMs, ring };
    this.#waiting.add(waiting);
    return { clear: () => void this.#waiting.delete(waiting) };
  }

  /** How many alarms are set. */
  get alarms(): number {
    return this.#waiting.size;
  }

  /** When the next alarm is due, once somebody has set one. */
  nextAlarm(): Promise<number> {
    return until('somebody sets an alarm', () => this.#first()?.dueAt);
  }

  /** Waits for an alarm to be set, goes to its moment, and rings it. */
  async ringNext(): Promise<number> {
    const dueAt = await this.nextAlarm();
    this.advance(dueAt - this.#now);
    return dueAt;
  }

  advance(ms: number): void {
    const goal = this.#now + ms;
    for (let first = this.#first(); first && first.dueAt <= goal; first = this.#first()) {
      this.#now = Math.max(this.#now, first.dueAt);
      this.#waiting.delete(first);
      first.ring();
    }
    this.#now = goal;
  }

  #first(): Waiting | undefined {
    return [...this.#waiting].toSorted((a, b) => a.dueAt - b.dueAt)[0];
  }
}
