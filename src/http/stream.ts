/** Streaming responses: written to the raw response at the reader's speed, cut off when the reader stops reading. */
import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Clock } from '../ports/clock.js';
import { serialised } from './broadcast.js';

const PATIENCE_MS = 20_000;
const FULL_BYTES = 65_536;
const HEARTBEAT_MS = 10_000;

export class Stream {
  readonly #gone = new AbortController();
  /** Under way while there is no room. */
  #room: Promise<void> | undefined;

  constructor(
    readonly response: ServerResponse,
    readonly clock: Clock,
    /** Of the visitor who opened it. */
    stay: AbortSignal,
  ) {
    response.on('close', () => this.#gone.abort());
    response.on('error', () => this.#gone.abort());
    // A visitor may have any number of streams open; Node takes more than ten for a leak.
    setMaxListeners(0, stay);
    const sendAway = () => this.drop();
    // The visitor may have been signed out since it was admitted.
    if (stay.aborted) sendAway();
    else stay.addEventListener('abort', sendAway, { once: true, signal: this.#gone.signal });
  }

  /** Aborted when the reader is gone. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  get isBehind(): boolean {
    return this.response.writableNeedDrain;
  }

  /** The buffer for this reader is full. */
  get isFull(): boolean {
    return this.response.writableLength > FULL_BYTES;
  }

  begin(contentType: string, more: Readonly<Record<string, string>> = {}): void {
    this.response.writeHead(200, {
      'content-type': contentType,
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      ...more,
    });
    this.response.flushHeaders();
  }

  /** Hands it over, room or not; one who makes no room for 20 s is let go. */
  write(chunk: string | Uint8Array): void {
    if (!this.gone.aborted && !this.response.write(chunk)) this.#room ??= this.#roomMade();
  }

  /** Over when the reader has room for more, or is gone. */
  async room(): Promise<void> {
    await this.#room;
  }

  async send(chunk: string | Uint8Array): Promise<void> {
    this.write(chunk);
    await this.#room;
  }

  #roomMade(): Promise<void> {
    return new Promise((resolve) => {
      const alarm = this.clock.alarm(PATIENCE_MS, () => this.drop());
      const done = () => {
        alarm.clear();
        this.#room = undefined;
        this.response.off('drain', done);
        this.gone.removeEventListener('abort', done);
        resolve();
      };
      this.response.on('drain', done);
      this.gone.addEventListener('abort', done);
    });
  }

  event(name: string, data: unknown, id?: number): Promise<void> {
    return this.send(serialised(name, data, id));
  }

  /** A real event, so that a reader notices a line that is dead on one side. Not for one who is behind already. */
  heartbeat(say: () => Promise<void>): Disposable {
    const beat = (): void => {
      if (!this.response.writableNeedDrain) void say();
      alarm = this.clock.alarm(HEARTBEAT_MS, beat);
    };
    let alarm = this.clock.alarm(HEARTBEAT_MS, beat);
    return { [Symbol.dispose]: () => alarm.clear() };
  }

  end(): void {
    this.response.end();
  }

  /** Ends it so that the reader notices that something is missing. */
  drop(): void {
    this.response.destroy();
  }
}

/**
 * The number of the last event that a reader received, as it reports itself. A browser that reconnects sends it as a
 * header with the address it used first, so the header takes precedence over the query.
 */
export function lastEvent(header: string | undefined): number | undefined {
  const number = Number(header || Number.NaN);
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
