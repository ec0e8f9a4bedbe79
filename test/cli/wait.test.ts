import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newFolder } from '../support/clean-up.js';
import { startHost } from '../support/host.js';
import { until } from '../support/until.js';
import { begin, rouse } from './rouse.js';

test('ends with the status of the process', async () => {
  const { home, client } = await startHost();
  const status = async (command: string) =>
    (await rouse(home, ['wait', (await client.start({ command })).process.id])).status;
  expect(await status('true')).toBe(0);
  expect(await status('exit 42')).toBe(42);
  expect(await status('kill -TERM $$')).toBe(143);
});

test('tells an exit 1 from every failure of its own', async () => {
  const { home, client } = await startHost();
  const { process } = await client.start({ command: 'exit 1' });
  expect(await rouse(home, ['wait', process.id])).toMatchObject({ status: 1, stderr: '' });
  const unknown = await rouse(home, ['wait', 'proc_zzzzzzzz']);
  expect(unknown).toMatchObject({ status: 125, stdout: '' });
  expect(unknown.stderr).toContain('proc_zzzzzzzz');
  expect(await rouse(newFolder(), ['wait', process.id])).toMatchObject({ status: 125 });
  expect(await rouse(home, ['run', '--wait', '--cwd', '/nope', '--', 'true'])).toMatchObject({ status: 125 });
  expect(await rouse(home, ['run', '--cwd', '/nope', '--', 'true'])).toMatchObject({ status: 1 });
  expect(await rouse(home, ['wait'])).toMatchObject({ status: 2 });
  expect(await rouse(home, ['wait', '--timeout', 'never', process.id])).toMatchObject({ status: 2 });
});

test('ends with 125 and says why when a process is lost', async () => {
  const { home, client } = await startHost();
  const { process } = await client.start({ command: 'echo $PPID; exec sleep 600' });
  const shim = await until(
    'the shim is known',
    async () => Number((await client.output(process.id)).text) || undefined,
  );
  globalThis.process.kill(shim, 'SIGKILL');
  await client.kill(process.id, 'KILL');
  const { status, stderr } = await rouse(home, ['wait', process.id]);
  expect(status).toBe(125);
  expect(stderr).toContain('is lost');
});

test('names its statuses in its help', async () => {
  for (const command of ['wait', 'run']) {
    const { stdout } = await rouse(newFolder(), [command, '--help']);
    expect(stdout).toMatch(/Exit status: that of the process;[\s\S]*124[\s\S]*125/);
  }
});

test('says that it still runs when the time is up', async () => {
  const { home, client } = await startHost();
  const { process } = await client.start({ command: 'sleep 60' });
  const { status, stderr } = await rouse(home, ['wait', '--timeout', '100ms', process.id.slice(0, 14)]);
  expect(status).toBe(124);
  expect(stderr).toContain(`${process.id} is still running`);
});

test('waits over a host that dies', async () => {
  const host = await startHost();
  const folder = newFolder();
  const { process } = await host.client.start({ command: `while [ ! -e ${folder}/go ]; do sleep 0.02; done; exit 9` });
  const waiting = begin(host.home, ['wait', process.id]);
  await until('it is connected', () => isConnected(waiting.child.pid));
  await host.kill();
  await waiting.printed('Waiting for the host to come back …');
  const next = await host.again();
  await next.client.start({ command: `touch ${folder}/go` });
  expect((await waiting.outcome()).status).toBe(9);
});

/**
 * Node has no socket of its own: one among its files is the one to the host. Its streams are the first three. Before it is
 * the program that we began, it is a copy of ourselves, with sockets of ours.
 */
const isConnected = (pid = 0): boolean =>
  readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('\0wait\0') &&
  readdirSync(`/proc/${pid}/fd`).some((fd) => Number(fd) > 2 && linkOf(`/proc/${pid}/fd/${fd}`).startsWith('socket:'));

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // ENOENT: it was closed between the list and the look.
    return '';
  }
}
