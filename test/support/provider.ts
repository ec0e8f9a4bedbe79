/** A provider on loopback: gives the answers it was given, in order, as well or as badly as they say. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { listen } from './loopback.js';

export type Reply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Sent in pieces of so many bytes, wherever that cuts it. */
  readonly pieceBytes?: number;
  /** What comes behind these words is kept back until then. */
  readonly hold?: { readonly after: string; readonly until: Promise<unknown> };
  /** What happens right behind these words; behind the empty ones, before any answer. */
  readonly stop?: {
    readonly after: string;
    readonly by: 'reset' | 'end' | 'silence';
    /** A reset may overtake what was sent before it: whoever cares waits until that has come. */
    readonly when?: Promise<void>;
  };
};

export type Request = {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

export class ProviderServer {
  readonly requests: Request[] = [];
  /** How many of those who asked have hung up before their answer was whole. */
  hungUp = 0;
  readonly #replies: Reply[] = [];

  private constructor(readonly url: string) {}

  static async start(): Promise<ProviderServer> {
    const server = createServer();
    const provider = new ProviderServer(await listen(server));
    server.on('request', (request, response) => void provider.#serve(request, response));
    return provider;
  }

  /** Whoever asks when there is no answer left gets a 404, which nobody tries again. */
  willAnswer(...replies: readonly Reply[]): void {
    this.#replies.push(...replies);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const text of request.setEncoding('utf8')) body += String(text);
    this.requests.push({ path: request.url ?? '', headers: request.headers, body });
    response.on('close', () => (this.hungUp += response.writableFinished ? 0 : 1));
    await send(
      response,
      this.#replies.shift() ?? { status: 404, body: '{"error":{"message":"no answer was scripted"}}' },
    );
  }
}

async function send(response: ServerResponse, { status = 200, headers, body = '', pieceBytes, hold, stop }: Reply) {
  if (stop?.after === '') return stopped(response, stop.by);
  const type = status === 200 && !body.startsWith('{') ? 'text/event-stream' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers });
  const end = stop ? body.indexOf(stop.after) + stop.after.length : body.length;
  const bytes = Buffer.from(body.slice(0, end));
  const size = pieceBytes ?? Math.max(1, bytes.length);
  const heldFrom = hold ? Buffer.byteLength(body.slice(0, body.indexOf(hold.after) + hold.after.length)) : Infinity;
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    if (at >= heldFrom) await hold?.until;
    await new Promise((written) => response.write(bytes.subarray(at, at + size), written));
    // The next piece goes out in a packet of its own.
    await setImmediate();
  }
  await stop?.when;
  if (stop) stopped(response, stop.by);
  else response.end();
}

function stopped(response: ServerResponse, by: NonNullable<Reply['stop']>['by']): void {
  if (by === 'reset') response.destroy();
  if (by === 'end') response.end();
}
