/**
 * Who is connected, and who has to make room.
 *
 *   1. A connection is a stranger's until a request on it brings a credential; then it is kept for as long as it lives.
 *   2. Strangers have at most a quarter of the descriptors. One more takes the place of the one that has been idle longest,
 *      and of the oldest where all are being answered.
 *
 * So whoever opens connections without end only drops his own, and descriptors are left for the owner.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const MOST_STRANGERS = 500;

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
