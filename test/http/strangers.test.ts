/** What those can cost the host who have neither the token nor a signed-in browser. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { startHost, type TestHost } from '../support/host.js';
import { routesOf } from '../support/routes.js';
import { signedIn } from '../support/signed-in.js';
import { until } from '../support/until.js';

const MIB = 1_048_576;
let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});

/** A connection that keeps what it receives. */
class Stranger {
  received = '';
  closed = false;
  readonly #open: Promise<void>;

  constructor(
    at: TestHost,
    readonly socket: Socket = connect(Number(new URL(at.url).port), '127.0.0.1'),
  ) {
    this.#open = new Promise((opened) => socket.once('connect', opened));
    socket.setEncoding('utf8').on('data', (text: string) => (this.received += text));
    socket.on('error', () => undefined).on('close', () => (this.closed = true));
  }

  async opened(): Promise<this> {
    await this.#open;
    return this;
  }

  /** Over when the kernel has taken it, or the connection is closed. */
  send(text: string): Promise<void> {
    return new Promise((sent) => {
      this.socket.once('close', () => sent());
      this.socket.write(text, () => sent());
    });
  }
}

const head = (at: TestHost, method: string, path: string, length: number, more = '') =>
  `${method} ${path} HTTP/1.1\r\nhost: ${new URL(at.url).host}\r\ncontent-type: application/json\r\n${more}content-length: ${length}\r\n\r\n`;

const memoryOf = (at: TestHost): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${at.pid}/status`, 'latin1'))?.[1]) * 1_024;

const figure = async (at: TestHost, name: string): Promise<number> => {
  const response = await fetch(`${at.url}/metrics`, { headers: { authorization: `Bearer ${at.token}` } });
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(await response.text())?.[1] ?? Number.NaN);
};

test('50 half-sent bodies for signing in cost almost no memory', async () => {
  await host.client.health();
  const before = memoryOf(host);
  const strangers = await Promise.all(Array.from({ length: 50 }, () => new Stranger(host).opened()));
  const body = `{"code":"${'x'.repeat(4 * MIB - 100)}`;
  const whole = head(host, 'POST', '/api/sign-in', 4 * MIB) + body;
  const chunk = `100000\r\n${'x'.repeat(MIB)}\r\n`;
  const inChunks = whole.replace(
    /content-length: \d+\r\n\r\n.*$/s,
    `transfer-encoding: chunked\r\n\r\n${chunk.repeat(3)}`,
  );
  await Promise.all(strangers.map((one, index) => one.send(index % 2 === 0 ? whole : inChunks)));
  await until('all are answered', () => strangers.every(({ received }) => received.includes(' 413 ')));
  expect(memoryOf(host) - before).toBeLessThan(64 * MIB);
  for (const { socket } of strangers) socket.destroy();
});

test('a body for signing in that does not arrive within seconds is given up', async () => {
  const slow = await new Stranger(host).opened();
  await slow.send(`${head(host, 'POST', '/api/sign-in', 100)}{"code":`);
  await until('it is told', () => slow.received.includes(' 408 '), 20_000);
  await until('it is closed', () => slow.closed);
});

test('a request without a credential is refused before its body arrives, at every route', async () => {
  const { id } = (await host.client.start({ command: 'sleep 300' })).process;
  for (const { method, path } of (await routesOf(host, id)).filter((route) => route.method !== 'GET' && !route.open)) {
    const stranger = await new Stranger(host).opened();
    await stranger.send(head(host, method, path, 100));
    await until(`${method} ${path} is refused`, () => stranger.received.includes(' 401 '));
    stranger.socket.destroy();
  }
});

test('400 idle connections do not keep the owner out, nor end what he has open, with 256 descriptors', async () => {
  const small = await startHost({ descriptors: 256 });
  const browser = await signedIn(small);
  const events = await browser.ask('/api/events');
  const kept = await new Stranger(small).opened();
  const asking = `GET /api/me HTTP/1.1\r\nhost: ${new URL(small.url).host}\r\nauthorization: Bearer ${small.token}\r\n\r\n`;
  await kept.send(asking);
  await until('the owner is answered', () => kept.received.includes(' 200 '));
  const strangers = Array.from({ length: 400 }, () => new Stranger(small));
  await until('most are sent away', () => strangers.filter(({ closed }) => closed).length >= 300);
  expect((await small.client.me()).version).toBeDefined();
  expect((await (await browser.ask('/api/me')).json()) as object).toHaveProperty('browser');
  kept.received = '';
  await kept.send(asking);
  await until('the connection of the owner still works', () => kept.received.includes(' 200 '));
  const { session } = await small.client.createSession({ agent: 'none' });
  await small.client.notify(session.id, 'still here');
  let read = '';
  for await (const chunk of events.body as unknown as AsyncIterable<Uint8Array>) {
    read += Buffer.from(chunk).toString();
    if (read.includes('still here')) break;
  }
  expect(read).toContain('still here');
  expect(await figure(small, 'rouse_connections_crowded_out_total')).toBeGreaterThanOrEqual(300);
  for (const { socket } of [...strangers, kept]) socket.destroy();
});

test('connections that are cut in the middle are counted and not logged one by one', async () => {
  const loud = await startHost();
  const count = 50;
  for (let made = 0; made < count; made++) {
    const stranger = await new Stranger(loud).opened();
    await stranger.send(`${head(loud, 'POST', '/api/sign-in', 100)}{"code":`);
    stranger.socket.destroy();
  }
  await until('all are counted', async () => (await figure(loud, 'rouse_requests_cut_off_total')) === count);
  expect(loud.log()).not.toMatch(/fault|aborted|ECONNRESET/);
});

test.each([
  ['brackets', '['.repeat(4 * MIB)],
  ['objects', '{"a":'.repeat(800_000)],
  ['brackets that are closed', '['.repeat(2 * MIB) + ']'.repeat(2 * MIB)],
  ['a list without end', `[${'{},'.repeat(1_000_000)}{}]`],
])('JSON of %s is refused before it is parsed, with the token too', async (_, body) => {
  const post = (path: string, headers: Record<string, string>) =>
    fetch(`${host.url}${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
  const answer = await post('/api/processes', { authorization: `Bearer ${host.token}` });
  expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
    400,
    expect.stringMatching(/^The body is JSON with more than (32 levels|20,000 values)\.$/),
  ]);
  expect((await post('/api/sign-in', {})).status).toBe(413);
});
