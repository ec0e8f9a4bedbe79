import { expect, test } from 'vitest';
import { startHost } from '../support/host.js';
import { rouse } from './rouse.js';

test('says how each ended, and of one that had ended already', async () => {
  const { home, client } = await startHost();
  const [one, two] = await Promise.all(['sleep 60', 'sleep 61'].map((command) => client.start({ command })));
  const first = await rouse(home, ['kill', one?.process.id ?? '', two?.process.id ?? '']);
  expect(first.status).toBe(0);
  expect(first.stdout.match(/ended with SIGTERM by person/g)).toHaveLength(2);
  const again = await rouse(home, ['kill', one?.process.id ?? '']);
  expect(again).toMatchObject({ status: 0, stderr: '' });
  expect(again.stdout).toMatch(/^Already ended: .* ended with SIGTERM by person/);
});

test('sends a signal that does not end', async () => {
  const { home, client } = await startHost();
  const { process } = await client.start({ command: 'trap "echo told" USR1; echo up; while :; do sleep 0.05; done' });
  for await (const event of client.follow(process.id))
    if (event.kind === 'output' && event.page.text.includes('up')) break;
  const { stdout } = await rouse(home, ['kill', '--signal', 'usr1', process.id]);
  expect(stdout).toContain('was sent SIGUSR1 and is still running');
  for await (const event of client.follow(process.id))
    if (event.kind === 'output' && event.page.text.includes('told')) break;
});

test('ends those it finds, and fails for those it does not', async () => {
  const { home, client } = await startHost();
  const { process } = await client.start({ command: 'sleep 60' });
  const { status, stdout, stderr } = await rouse(home, ['kill', 'nothing', process.id]);
  expect(status).toBe(1);
  expect(stdout).toContain(`${process.id} ended with`);
  expect(stderr).toContain('There is no process "nothing"');
});

test('refuses an unknown signal as wrong usage', async () => {
  const { home } = await startHost();
  expect((await rouse(home, ['kill', '--signal', 'nonsense', 'x'])).status).toBe(2);
});
