/**
 * A door before the door: one address that stays the same over restarts of the host, and a line that can be cut, or go
 * dead without a word.
 */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

type Weather = 'fine' | 'cut' | 'dead';

export class Front {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #weather: Weather = 'fine';
  #port = 0;
  /** Connections that were ever made, to tell how many a browser needs. */
  taken = 0;

  private constructor() {
    this.#server = createServer((socket) => this.#join(socket));
  }

  static async open(): Promise<Front> {
    const front = new Front();
    await new Promise<void>((resolve) => front.#server.listen(0, '127.0.0.1', resolve));
    return front;
  }

  get name(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get open(): number {
    return [...this.#sockets].length / 2;
  }

  /** Where the host is from now on. */
  leadTo(url: string): void {
    this.#port = Number(new URL(url).port);
  }

  /** Nobody comes through until it is mended. */
  cut(): void {
    this.#weather = 'cut';
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Connections stay open and nothing passes: what a laptop sees that was carried to another network. */
  goDead(): void {
    this.#weather = 'dead';
    for (const socket of this.#sockets) socket.pause();
  }

  /** What had gone dead stays so; whoever connects now is heard. */
  mend(): void {
    this.#weather = 'fine';
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((closed) => this.#server.close(closed));
  }

  #join(here: Socket): void {
    if (this.#weather === 'cut') return void here.destroy();
    this.taken++;
    const there = connect(this.#port, '127.0.0.1');
    for (const [from, to] of [
      [here, there],
      [there, here],
    ] as const) {
      this.#sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
    if (this.#weather === 'dead') for (const socket of [here, there]) socket.pause();
  }
}
