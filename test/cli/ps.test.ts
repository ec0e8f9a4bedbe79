import { expect, test } from 'vitest';
import { shortened } from '../../src/cli/print/table.js';
import { newHome, startHost } from '../support/host.js';
import { beginAtTerminal, rouse } from './rouse.js';

test('lists what has not ended; with -a the rest, and how it ended', async () => {
  const { home, client } = await startHost();
  const { process: ended } = await client.start({ command: 'exit 3' });
  await client.start({ command: 'sleep 60', name: 'sleeper' });
  await client.wait(ended.id, 10_000);
  const { process: killed } = await client.start({ command: 'sleep 61' });
  await client.kill(killed.id, 'SIGKILL');
  const { stdout: running } = await rouse(home, ['ps']);
  expect(running).toContain('sleeper');
  expect(running).not.toContain('exit 3');
  const { stdout: all } = await rouse(home, ['ps', '-a']);
  expect(all).toMatch(/exit 3 .*exit 3$/m);
  expect(all).toMatch(/SIGKILL by person .*sleep 61$/m);
});

test('writes JSON with the whole ids', async () => {
  const { home, client } = await startHost();
  const { process } = await client.start({ command: 'sleep 60' });
  const { stdout } = await rouse(home, ['ps', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ processes: [{ id: process.id, command: 'sleep 60' }] });
});

test('lets no name or command touch the terminal, and fits it', async () => {
  const { home, client } = await startHost();
  await client.start({
    command: `sleep 60 # \u001b]0;owned\u0007\u001b[2J ${'long '.repeat(40)}`,
    name: 'a\u001b[31mb',
  });
  const { stdout } = await beginAtTerminal(home, ['ps'], { columns: 60 }).outcome();
  expect(stdout).not.toContain('\u001b]');
  expect(stdout).not.toContain('\u001b[2J');
  expect(stdout).not.toContain('\u001b[31m');
  expect(stdout).toContain('…');
  expect(stdout.trimEnd().split('\n')).toHaveLength(2);
});

test('is coloured at a terminal only', async () => {
  const { home, client } = await startHost();
  await client.start({ command: 'sleep 60' });
  expect((await beginAtTerminal(home, ['ps']).outcome()).stdout).toContain('\u001b[32m');
  expect((await rouse(home, ['ps'])).stdout).not.toContain('\u001b');
});

test('says that no host runs, and how to start one', async () => {
  const home = newHome();
  expect(await rouse(home, ['ps'])).toEqual({
    status: 1,
    stdout: '',
    stderr: `No host is running for ${home}. Start one: rouse serve\n`,
  });
});

test('shortens an id to the shortest beginning that no other has', () => {
  const ids = ['proc_aaaaaaaaaaaa', 'proc_aaaaaaaabbbb', 'proc_bbbbbbbbbbbb'];
  const short = shortened(ids);
  expect(ids.map((id) => short(id))).toEqual(['proc_aaaaaaaaa', 'proc_aaaaaaaab', 'proc_bbbbbb']);
});
