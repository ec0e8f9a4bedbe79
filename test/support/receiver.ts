/** Somebody's webhook on loopback: writes down what it gets, checks the signature, and answers as it is told. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { NoticeView } from '../../src/contract/notice.js';
import { close, listen } from './loopback.js';
import { until } from './until.js';

export type Received = {
  readonly id: string;
  readonly signed: boolean;
  readonly notice: NoticeView;
  readonly text: string;
};

/** What to do with a request: a status, or no answer before it is asked for. */
export type Reply = number | 'hang';

export class Receiver {
  readonly received: Received[] = [];
  readonly #server: Server;
  readonly #held: ServerResponse[] = [];
  reply: (received: Received, before: number) => Reply = () => 204;

  #url = '';

  private constructor(
    server: Server,
    readonly secret: string,
  ) {
    this.#server = server;
  }

  static async open(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server, `whsec_${Buffer.from('a secret for the tests only').toString('base64')}`);
    server.on('request', (request, response) => void receiver.#take(request, response));
    receiver.#url = await listen(server);
    return receiver;
  }

  get webhook() {
    return { url: `${this.#url}/notices`, secret: this.secret };
  }

  /** The ids in the order in which they came, each as often as it came. */
  get ids(): readonly string[] {
    return this.received.map(({ id }) => id);
  }

  async count(expected: number, timeoutMs?: number): Promise<readonly Received[]> {
    await until(`${expected} requests came`, () => this.received.length >= expected, timeoutMs);
    return this.received;
  }

  /** Answers those that were left hanging, whether or not somebody still listens. */
  answerHeld(status: number): void {
    for (const response of this.#held.splice(0)) response.writeHead(status).end();
  }

  /** From now on nothing answers there. */
  close(): Promise<void> {
    return close(this.#server);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const id = String(request.headers['webhook-id']);
    const { notice, text } = JSON.parse(body) as { notice: NoticeView; text: string };
    const received = { id, signed: this.#isSigned(request, body), notice, text };
    const before = this.ids.filter((known) => known === id).length;
    this.received.push(received);
    const reply = this.reply(received, before);
    if (reply === 'hang') this.#held.push(response);
    else response.writeHead(reply).end();
  }

  #isSigned({ headers }: IncomingMessage, body: string): boolean {
    const key = Buffer.from(this.secret.slice('whsec_'.length), 'base64');
    const text = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    const expected = Buffer.from(`v1,${createHmac('sha256', key).update(text).digest('base64')}`);
    const given = Buffer.from(String(headers['webhook-signature']));
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}
