/** A model on loopback whose words are the moments at which they were said. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chatCompletions } from '../../test/support/protocols.js';
import { nowMs } from '../peer.js';
import { pause } from '../wait.js';

type Pace = { readonly words: number; readonly overMs: number };

/** As many signs as a moment in milliseconds has. */
const BLANK = '#############';

export class StampingProvider implements AsyncDisposable {
  private constructor(readonly server: ReturnType<typeof createServer>) {}

  static async start({ words, overMs }: Pace): Promise<StampingProvider> {
    const pieces = chatCompletions({ text: Array.from({ length: words }, () => `@${BLANK} `) }).split(/(?<=\n\n)/);
    const server = createServer((request, response) => {
      request.resume().on('end', () => void answer(response, pieces, overMs));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new StampingProvider(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }
}

async function answer(response: ServerResponse, pieces: readonly string[], overMs: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const began = nowMs();
  for (const [index, piece] of pieces.entries()) {
    while (nowMs() < began + (overMs * index) / pieces.length) await pause(1);
    response.write(piece.replace(BLANK, String(Date.now())));
  }
  response.end();
}
