/** A model on loopback that gives the same long answer in the same time to whoever asks. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chatCompletions } from '../../test/support/protocols.js';
import { nowMs } from '../peer.js';
import { pause } from '../wait.js';

export type Pace = {
  readonly deltas: number;
  readonly overMs: number;
  /** Each word is the moment at which it was said, behind an @. */
  readonly stamped?: boolean;
};

/** As many signs as a moment in milliseconds has. */
const BLANK = '#############';

export class PacedProvider implements AsyncDisposable {
  private constructor(
    readonly server: ReturnType<typeof createServer>,
    readonly pace: Pace,
  ) {}

  static async start(pace: Pace): Promise<PacedProvider> {
    const text = Array.from({ length: pace.deltas }, (_, number) => (pace.stamped ? `@${BLANK} ` : `word ${number} `));
    const pieces = chatCompletions({ text }).split(/(?<=\n\n)/);
    const server = createServer((request, response) => {
      request.resume().on('end', () => void answer(response, pieces, pace.overMs));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new PacedProvider(server, pace);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** How long it takes to read the answer and to do nothing with it. */
  async bareMs(): Promise<number> {
    const before = nowMs();
    const response = await fetch(`${this.url}/chat/completions`, { method: 'POST', body: '{}' });
    await response.text();
    return nowMs() - before;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }
}

/** By the clock and not by pauses: a machine that is late catches up, and the answer takes as long for everybody. */
async function answer(response: ServerResponse, pieces: readonly string[], overMs: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const began = nowMs();
  for (const [index, piece] of pieces.entries()) {
    const dueAt = began + (overMs * index) / pieces.length;
    while (nowMs() < dueAt) await pause(1);
    response.write(piece.replace(BLANK, () => String(Date.now())));
  }
  response.end();
}
