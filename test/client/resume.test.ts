/** The client against a server that misbehaves in every way a line can. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { RouseClient, RouseProblem, type Cut, type HostEvent } from '../../src/client/client.js';
import { until } from '../support/until.js';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const open: { close(): void }[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const one of open.splice(0)) one.close();
});

/** Answers the first request with the first answer, and so on; what was asked for is in `asked`. */
async function serverThat(...answers: Answer[]) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    (answers.shift() ?? silent)(response, request);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  open.push({ close: () => (server.closeAllConnections(), server.close()) });
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const silent: Answer = (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();

/** Sends heartbeats with these numbers, and then does the last thing. */
const beats =
  (numbers: readonly number[], then: (response: ServerResponse) => void): Answer =>
  (response, request) => {
    silent(response, request);
    const frame = (seq: number) => `event: heartbeat\ndata: {"seq":${seq},"head":${seq}}\n\n`;
    response.write(numbers.map(frame).join(''), () => then(response));
  };

const refuse =
  (status: number, word: string): Answer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ type: `/problems/${word}`, title: word, status, detail: `It is ${word}.` }));

const cutOff = (response: ServerResponse) => response.destroy();
const end = (response: ServerResponse) => response.end();
const stayOpen = () => undefined;

/** Does not wait between attempts. */
const hasty = (url: string, onCut: (cut: Cut) => void = () => undefined) =>
  new RouseClient(url, 'token', { pause: () => Promise.resolve(), onCut });

const numbersOf = (events: readonly HostEvent[]) =>
  events.map((event) => (event.kind === 'heartbeat' ? event.seq : event.kind));

async function first(count: number, events: AsyncIterable<HostEvent>): Promise<readonly HostEvent[]> {
  const seen: HostEvent[] = [];
  for await (const event of events) if (seen.push(event) === count) break;
  return seen;
}

describe('following events', () => {
  test.each([
    ['the connection is cut', cutOff],
    ['the host ends the stream', end],
  ])('L2 resumes after the last number when %s', async (_, then) => {
    const { url, asked } = await serverThat(beats([3, 7], then), beats([8], stayOpen));
    const seen = await first(4, hasty(url).events({ after: 2 }));
    expect(numbersOf(seen)).toEqual([3, 7, 'cut', 8]);
    expect(asked).toEqual(['/api/events?after=2', '/api/events?after=7']);
  });

  test('resumes after a host that is stopping, and after a proxy that finds none', async () => {
    const bare: Answer = (response) => response.writeHead(502).end('Bad gateway');
    const { url } = await serverThat(refuse(503, 'stopping'), bare, beats([1], stayOpen));
    expect(numbersOf(await first(3, hasty(url).events()))).toEqual(['cut', 'cut', 1]);
  });

  test('throws a refusal at once', async () => {
    const { url, asked } = await serverThat(refuse(404, 'not-found'));
    await expect(hasty(url).events({ session: 'ses_x' }).next()).rejects.toThrow(RouseProblem);
    expect(asked).toHaveLength(1);
  });

  test('counts failures in a row and waits longer after each, up to a limit; an event ends the row', async () => {
    const cuts: Cut[] = [];
    const dead: Answer = (response) => response.destroy();
    const answers = [...Array<Answer>(12).fill(dead), beats([1], cutOff), dead];
    const { url } = await serverThat(...answers);
    await first(15, hasty(url, (cut) => cuts.push(cut)).events());
    expect(cuts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 2]);
    for (const { attempt, retryInMs } of cuts) {
      const most = Math.min(15_000, 250 * 2 ** (attempt - 1));
      expect(retryInMs).toBeGreaterThanOrEqual(most / 2);
      expect(retryInMs).toBeLessThanOrEqual(most);
    }
  });

  test.each([
    ['6 s before the first event', silent, 6_000, []],
    ['20 s after one', beats([5], stayOpen), 20_000, [5]],
  ])('takes silence for a cut: %s', async (_, answer, afterMs, before) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { url, asked } = await serverThat(answer, beats([6], stayOpen));
    const seen: HostEvent[] = [];
    const over = new AbortController();
    const reading = (async () => {
      for await (const event of hasty(url).events({ signal: over.signal })) seen.push(event);
    })();
    const settle = () => new Promise<void>((done) => setImmediate(done));
    const eventually = async (is: () => boolean) => {
      while (!is()) await settle();
    };
    await eventually(() => asked.length === 1 && seen.length === before.length && vi.getTimerCount() > 0);
    await vi.advanceTimersByTimeAsync(afterMs - 100);
    expect(numbersOf(seen)).toEqual(before);
    await vi.advanceTimersByTimeAsync(200);
    await eventually(() => seen.length === before.length + 2);
    expect(numbersOf(seen)).toEqual([...before, 'cut', 6]);
    over.abort();
    await reading;
  });

  test('does not take a slow consumer for silence', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { url } = await serverThat(beats([1, 2], stayOpen));
    const events = hasty(url).events();
    await events.next();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(numbersOf([(await events.next()).value as HostEvent])).toEqual([2]);
    await events.return(undefined);
  });

  test.each([
    ['listening', stayOpen],
    ['pausing', cutOff],
  ])('ends without an error when it is aborted while %s', async (_, then) => {
    const { url } = await serverThat(beats([1], then));
    const over = new AbortController();
    const seen: HostEvent[] = [];
    const reading = (async () => {
      for await (const event of new RouseClient(url, 'token').events({ signal: over.signal })) seen.push(event);
    })();
    await until('it is there', () => seen.length === (then === cutOff ? 2 : 1));
    over.abort();
    await reading;
  });

  test('closes its connection when the consumer stops', async () => {
    let isClosed = false;
    const { url } = await serverThat((response, request) => {
      response.on('close', () => (isClosed = true));
      beats([1], stayOpen)(response, request);
    });
    await first(1, hasty(url).events());
    await until('the connection is closed', () => isClosed);
  });

  test('finds a host that came back at another address, and never asks the old one again', async () => {
    const gone = await serverThat(beats([4], cutOff));
    const next = await serverThat(beats([5], stayOpen));
    const client = new RouseClient(gone.url, 'old', {
      pause: () => Promise.resolve(),
      locate: () => ({ url: next.url, token: 'new' }),
    });
    expect(numbersOf(await first(3, client.events()))).toEqual([4, 'cut', 5]);
    expect([gone.asked, next.asked]).toEqual([['/api/events'], ['/api/events?after=4']]);
    expect(client.url).toBe(next.url);
  });
});

test('following an output resumes at the offset behind the last page, and ends with the process', async () => {
  const page = (from: number, to: number): Answer => {
    const data = { text: 'x'.repeat(to - from), from, to, size: to, released: 0 };
    return (response, request) => {
      silent(response, request);
      response.write(`event: output\nid: ${to}\ndata: ${JSON.stringify(data)}\n\n`, () => response.destroy());
    };
  };
  const refused: Answer = (response, request) => {
    silent(response, request);
    response.end('event: refused\ndata: {"refused":"output-damaged","why":"It is damaged."}\n\n');
  };
  const { url, asked } = await serverThat(page(2, 9), page(9, 12), refused);
  const kinds: string[] = [];
  for await (const { kind } of hasty(url).follow('proc_a', { offset: 2 })) kinds.push(kind);
  expect(kinds).toEqual(['output', 'cut', 'output', 'cut', 'refused']);
  expect(asked.map((path) => new URL(path, url).searchParams.get('offset'))).toEqual(['2', '9', '12']);
});

describe('persisting', () => {
  const healthy: Answer = (response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"status":"ok","version":"1","startedAt":"2026-01-01T00:00:00.000Z"}');
  const half: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '99' });
    response.write('{"status":', () => response.destroy());
  };

  test('repeats a request until a host answers it', async () => {
    const { url, asked } = await serverThat(cutOff, half, refuse(503, 'stopping'), healthy);
    const client = hasty(url);
    expect(await client.persist(() => client.health())).toMatchObject({ status: 'ok' });
    expect(asked).toHaveLength(4);
  });

  test('throws a refusal, a cut that must not be repeated, and an abort', async () => {
    const { url, asked } = await serverThat(refuse(409, 'already-ended'), cutOff, cutOff);
    const client = hasty(url);
    await expect(client.persist(() => client.health())).rejects.toThrow('It is already-ended.');
    await expect(client.persist(() => client.health(), { mayRepeat: () => false })).rejects.toThrow('No host answers');
    const over = new AbortController();
    over.abort(new Error('enough'));
    await expect(client.persist(() => client.health(), { signal: over.signal })).rejects.toThrow('No host answers');
    expect(asked).toHaveLength(3);
  });
});
