import { beforeAll, expect, test } from 'vitest';
import { startHost, type TestHost } from '../support/host.js';
import { until } from '../support/until.js';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});

const used = async (id: string) => (await host.client.usage()).usage.find(({ process }) => process === id);

test('L9 sums what a process and all that it started use, those that left it too', async () => {
  const idle = (await host.client.start({ command: 'sleep 300' })).process.id;
  const command = '(setsid sh -c "sleep 300 & sleep 300" &) ; sleep 300 & while :; do :; done';
  const { id } = (await host.client.start({ command })).process;
  // The shell, its sleep, and the three of the session that left.
  const all = await until('all are there', async () => {
    const now = await used(id);
    return now?.processes === 5 && now;
  });
  expect(all.memoryBytes).toBeGreaterThan(5 * 100_000);
  await until('it has worked on', async () => ((await used(id))?.cpuMs ?? 0) > all.cpuMs + 50);
  expect(await used(idle)).toMatchObject({ processes: 1, cpuMs: expect.toSatisfy((ms: number) => ms < 1_000) });
  await host.client.kill(id, 'SIGKILL');
  expect(await used(id)).toBeUndefined();
  expect(await used(idle)).toBeDefined();
});

test('L9 counts the command of a terminal, and not what keeps the terminal', async () => {
  const { id } = (await host.client.start({ command: 'sleep 300', pty: true })).process;
  await until('it is counted', async () => (await used(id))?.processes === 1);
});

test('says when it looked, without a process too', async () => {
  const before = Date.now();
  expect(Date.parse((await host.client.usage()).at)).toBeGreaterThanOrEqual(before);
});
