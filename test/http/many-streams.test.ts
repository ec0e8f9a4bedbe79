import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import type { HostEvent } from '../../src/client/client.js';
import { deafReader, isHeld } from '../support/deaf-reader.js';
import { startHost, type TestHost } from '../support/host.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';

/** Small, so that whatever is kept for those who do not read is soon too much. */
const SMALL = { env: { NODE_OPTIONS: '--max-old-space-size=128' } };

const memoryOf = ({ pid }: TestHost) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

/** A stream that is read, and of which only the text is kept. */
class Listening {
  text = '';

  private constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8').on('data', (chunk: string) => (this.text += chunk));
    response.on('error', () => undefined);
  }

  static open(host: TestHost): Promise<Listening> {
    return new Promise((opened, failed) => {
      const headers = { authorization: `Bearer ${host.token}` };
      get(`${host.url}/api/events`, { headers, agent: false }, (response) => opened(new Listening(response))).on(
        'error',
        failed,
      );
    });
  }

  count(part: string): number {
    return this.text.split(part).length - 1;
  }
}

test('L5 serves 500 open streams, each entry once, and the words of a turn to each', { timeout: 180_000 }, async () => {
  const host = await startHost(SMALL);
  const streams = await Promise.all(Array.from({ length: 500 }, () => Listening.open(host)));
  await until('all are greeted', () => streams.every((stream) => stream.count('event: heartbeat') > 0));
  const talk = await Talk.begin(host);
  await talk.say('hold 500\nsay the end of the matter');
  const entries = await talk.ended(1);
  const ids = entries.map(({ seq }) => `event: entry\nid: ${seq}\n`);
  await until('all have all', () => streams.every((stream) => ids.every((id) => stream.count(id) > 0)));
  for (const stream of streams) for (const id of ids) expect(stream.count(id)).toBe(1);
  for (const stream of streams) expect(stream.count('event: live')).toBeGreaterThan(0);
  expect(memoryOf(host)).toBeLessThan(300_000_000);
  for (const { response } of streams) response.destroy();
});

test('L5 lets many go who do not read, keeps nothing for them, and others go on', { timeout: 180_000 }, async () => {
  const host = await startHost(SMALL);
  const session = (await host.client.createSession({ agent: 'none' })).session.id;
  const notify = async (text: string) => (await host.client.notify(session, text)).notice.id;
  const deaf = await Promise.all(Array.from({ length: 60 }, () => deafReader(host, '/api/events')));
  await until('they are served', () => deaf.every((reader) => isHeld(host, reader)));
  const over = new AbortController();
  const heard: HostEvent[] = [];
  const listening = (async () => {
    for await (const event of host.client.events({ signal: over.signal })) heard.push(event);
  })().catch(() => undefined);
  const notices = () => heard.flatMap((event) => (event.kind === 'notice' ? [event.notice.id] : []));
  await until('the other is greeted', () => heard.length > 0);
  // More for all of them together than the host has room for, were it kept for each.
  const long = 'x'.repeat(19_000);
  const told: string[] = [];
  for (let at = 0; at < 800; at += 10)
    told.push(...(await Promise.all(Array.from({ length: 10 }, (_, more) => notify(`${at + more} ${long}`)))));
  await until('the other has all', () => notices().length === told.length);
  expect(memoryOf(host)).toBeLessThan(400_000_000);
  await until('the host has closed on them', () => !deaf.some((reader) => isHeld(host, reader)), 90_000);
  told.push(await notify('behind'));
  await until('the other is still there', () => notices().length === told.length);
  expect(notices().toSorted()).toEqual(told.toSorted());
  for (const socket of deaf) socket.destroy();
  over.abort();
  await listening;
});
