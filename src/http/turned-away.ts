/** Counts what strangers can cause as often as they like, and reports it once a minute instead of once for each. */
import type { Clock } from '../ports/clock.js';
import type { Tell } from '../runtime/events.js';

const REPORT_MS = 60_000;
const NONE = { cutOff: 0, crowdedOut: 0 };

export class TurnedAway {
  #lately = NONE;

  constructor(
    readonly clock: Clock,
    readonly tell: Tell,
  ) {}

  count(why: keyof typeof NONE): void {
    if (this.#lately === NONE) this.clock.alarm(REPORT_MS, () => this.#report());
    this.#lately = { ...this.#lately, [why]: this.#lately[why] + 1 };
    this.tell({ kind: 'turnedAway', why });
  }

  #report(): void {
    const lately = this.#lately;
    this.#lately = NONE;
    this.tell({ kind: 'turnedAwayLately', ...lately });
  }
}
