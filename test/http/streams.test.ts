import { connect, type Socket } from 'node:net';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanUp, startHost, type TestHost } from '../support/host.js';
import { until } from '../support/until.js';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(cleanUp);

/** A reader who asks for a stream and then reads nothing. */
function deafReader(path: string): Promise<Socket> {
  const { hostname, port, host: name } = new URL(host.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.pause();
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${name}\r\nauthorization: Bearer ${host.token}\r\n\r\n`);
      resolve(socket);
    });
    socket.on('error', () => undefined);
  });
}

const memoryOf = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

test('L5 lets a reader go who does not read, and nobody else notices', { timeout: 90_000 }, async () => {
  const { id } = (await host.client.start({ command: 'yes 0123456789 | head -c 60000000' })).process;
  await host.client.wait(id, 30_000);
  const before = memoryOf(host.pid);
  const deaf = await Promise.all(Array.from({ length: 5 }, () => deafReader(`/api/processes/${id}/output/stream`)));
  let read = 0;
  for await (const chunk of host.client.followBytes(id, 0)) read += chunk.length;
  expect(read).toBe(60_000_000);
  expect((await host.client.health()).status).toBe('ok');
  expect(memoryOf(host.pid) - before).toBeLessThan(150_000_000);
  await until('the host has closed on them', () => openConnections() <= 1, 60_000);
  for (const socket of deaf) socket.destroy();
});

/** Established connections to the port of the host, from its side. */
function openConnections(): number {
  const port = Number(new URL(host.url).port).toString(16).toUpperCase().padStart(4, '0');
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  return lines.filter((line) => new RegExp(`^\\s*\\d+: [0-9A-F]{8}:${port} [0-9A-F:]+ 01 `).test(line)).length;
}

test('ends its open streams when it stops, and leaves the process alone', async () => {
  const other = await startHost();
  const { id } = (await other.client.start({ command: 'echo here; sleep 60' })).process;
  const chunks: string[] = [];
  const reading = (async () => {
    for await (const chunk of other.client.followBytes(id, 0)) chunks.push(Buffer.from(chunk).toString());
  })().catch((error: Error) => error);
  await until('it reads', () => chunks.length > 0);
  await other.stop();
  await reading;
  expect(chunks.join('')).toBe('here\n');
  const again = await other.again();
  expect((await again.client.process(id)).process.state).toBe('running');
});
