import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { deafReader, isHeld } from '../support/deaf-reader.js';
import { startHost, type TestHost } from '../support/host.js';
import { until } from '../support/until.js';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});

const memoryOf = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

test('L5 lets a reader go who does not read, and nobody else notices', { timeout: 90_000 }, async () => {
  const { id } = (await host.client.start({ command: 'yes 0123456789 | head -c 60000000' })).process;
  await host.client.wait(id, 30_000);
  const before = memoryOf(host.pid);
  const paths = ['stream', 'stream', 'stream', 'stream', 'stream', 'file'];
  const deaf = await Promise.all(paths.map((path) => deafReader(host, `/api/processes/${id}/output/${path}`)));
  let read = 0;
  for await (const piece of host.client.followBytes(id)) read += piece.kind === 'bytes' ? piece.bytes.length : 0;
  expect(read).toBe(60_000_000);
  const file = await host.client.download(id);
  expect((await file.arrayBuffer()).byteLength).toBe(60_000_000);
  expect((await host.client.health()).status).toBe('ok');
  expect(memoryOf(host.pid) - before).toBeLessThan(150_000_000);
  await until('the host has closed on them', () => !deaf.some((reader) => isHeld(host, reader)), 60_000);
  for (const socket of deaf) socket.destroy();
});

test('ends its open streams when it stops, and leaves the process alone', async () => {
  const other = await startHost();
  const { id } = (await other.client.start({ command: 'echo here; sleep 60' })).process;
  const chunks: string[] = [];
  const reading = (async () => {
    for await (const piece of other.client.followBytes(id)) {
      if (piece.kind === 'cut') return;
      chunks.push(Buffer.from(piece.bytes).toString());
    }
  })();
  await until('it reads', () => chunks.length > 0);
  await other.stop();
  await reading;
  expect(chunks.join('')).toBe('here\n');
  const again = await other.again();
  expect((await again.client.process(id)).process.state).toBe('running');
});

test('L2 goes on after the last event that a reader has had, whatever stands in the address', async () => {
  const { id } = (await host.client.start({ command: 'echo 0123456789' })).process;
  await host.client.wait(id, 30_000);
  const response = await fetch(`${host.url}/api/processes/${id}/output/stream?offset=2`, {
    headers: { authorization: `Bearer ${host.token}`, accept: 'text/event-stream', 'last-event-id': '7' },
  });
  const text = await response.text();
  expect(/"text":"([^"]*)"/.exec(text)?.[1]).toBe('789\\n');
});
