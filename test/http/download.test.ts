import { beforeAll, expect, test } from 'vitest';
import { startHost, type TestHost } from '../support/host.js';
import { signedIn } from '../support/signed-in.js';
import { until } from '../support/until.js';

const QUOTA = 262_144;
let host: TestHost;
beforeAll(async () => {
  host = await startHost({ config: { output: { quotaBytes: QUOTA } } });
});

async function ended(command: string, at = host) {
  const { id } = (await at.client.start({ command })).process;
  return (await at.client.wait(id, 60_000)).process;
}

const download = (id: string, at = host) => at.client.download(id);

test('is a file of text that no browser takes for a page', async () => {
  const { id } = await ended(`printf '<script>größer</script>\\n'`);
  const response = await download(id);
  expect(await response.text()).toBe('<script>größer</script>\n');
  const told = ['content-type', 'content-disposition', 'x-content-type-options'].map((name) =>
    response.headers.get(name),
  );
  expect(told).toEqual(['text/plain; charset=utf-8', `attachment; filename="${id}.txt"`, 'nosniff']);
});

test('is there for a browser that is signed in', async () => {
  const { id } = await ended('echo here');
  const response = await (await signedIn(host)).ask(`/api/processes/${id}/output/file`);
  expect(await response.text()).toBe('here\n');
});

test('P17 says in its place how many bytes are released', async () => {
  const { id, outputBytes, releasedBytes } = await ended(`seq -f 'line %09.0f' 1 200000`);
  expect(releasedBytes).toBeGreaterThan(0);
  const text = await (await download(id)).text();
  const [head = '', tail = ''] = text.split(`[… ${releasedBytes} bytes deleted: the output exceeded its quota …]\n`);
  const written = Array.from({ length: 200_000 }, (_, at) => `line ${String(at + 1).padStart(9, '0')}\n`).join('');
  expect(written.startsWith(head.replace(/\n$/, ''))).toBe(true);
  expect(written.endsWith(tail)).toBe(true);
  const kept = outputBytes - releasedBytes;
  // A line of its own: where the head breaks off inside a line, that one is ended first.
  expect([kept, kept + 1]).toContain(head.length + tail.length);
});

test('P4 cuts no character where it is read in pieces', async () => {
  const other = await startHost();
  const { id } = await ended(`yes 'äöü€𝄞' | head -c 2100000`, other);
  const text = await (await download(id, other)).text();
  expect(text.replace(/[^\n]*$/, '')).toBe('äöü€𝄞\n'.repeat(Math.floor(2_100_000 / 14)));
});

test('P20 holds no secret', async () => {
  const { id } = await ended(`head -c 261000 /dev/zero | tr '\\0' x; echo; echo token ${host.token} seen`);
  const text = await (await download(id)).text();
  expect(text).not.toContain(host.token);
  expect(text).toMatch(/token \S+ seen\n$/);
});

test('is what there is by now of one that runs', async () => {
  const { id } = (await host.client.start({ command: 'echo here; sleep 300' })).process;
  await until('it has written', async () => (await host.client.process(id)).process.outputBytes === 5);
  expect(await (await download(id)).text()).toBe('here\n');
});

test('is not found for a process that is not there', async () => {
  await expect(download('proc_nobody')).rejects.toMatchObject({ word: 'not-found' });
});
