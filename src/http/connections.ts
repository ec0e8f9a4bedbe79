/**
 * Open connections, and which one is closed to make room.
 *
 *   1. A connection belongs to a stranger until a request on it brings a credential; from then on it is never closed here.
 *   2. Strangers have at most a quarter of the descriptors. A further one replaces the one that has been idle longest, or
 *      the oldest when all are being answered.
 *
 * So a client that opens connections without end only closes its own, and descriptors are left for the owner.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../ports/clock.js';
import type { Tell } from '../runtime/events.js';

const MOST_STRANGERS = 500;
const REPORT_MS = 60_000;
const NONE = { cutOff: 0, crowdedOut: 0 };

export class Connections {
  /** In the order in which they became idle, with how many of their requests are being answered. */
  readonly #strangers = new Map<Socket, number>();

  readonly #most: number;

  constructor(
    readonly crowdedOut: () => void,
    /** How many this process may have open. */
    descriptors: number,
  ) {
    this.#most = Math.min(MOST_STRANGERS, Math.floor(descriptors / 4));
  }

  opened(socket: Socket): void {
    if (this.#strangers.size >= this.#most) this.#makeRoom();
    this.#strangers.set(socket, 0);
    socket.once('close', () => this.#strangers.delete(socket));
  }

  asked(socket: Socket, response: ServerResponse): void {
    this.#change(socket, 1);
    response.once('close', () => this.#change(socket, -1));
  }

  admit(socket: Socket): void {
    this.#strangers.delete(socket);
  }

  #change(socket: Socket, by: number): void {
    const answering = this.#strangers.get(socket);
    if (answering === undefined) return;
    this.#strangers.delete(socket);
    this.#strangers.set(socket, answering + by);
  }

  #makeRoom(): void {
    const all = [...this.#strangers];
    const [longest] = all.find(([, answering]) => answering === 0) ?? all[0] ?? [];
    if (!longest) return;
    this.#strangers.delete(longest);
    longest.destroy();
    this.crowdedOut();
  }
}

/** Counts what strangers can cause as often as they like, and reports it at most once a minute. */
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
