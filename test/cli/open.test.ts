import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RouseClient } from '../../src/client/client.js';
import { newHome, noteOf, startHost } from '../support/host.js';
import { codeOf, newKey } from '../support/signed-in.js';
import { begin, beginAtTerminal, rouse } from './rouse.js';

const signIn = (url: string) => new RouseClient(new URL(url).origin).signIn(codeOf(url), newKey());

test('prints a link that works once', async () => {
  const { home, url } = await startHost();
  const { status, stdout, stderr } = await rouse(home, ['open']);
  expect(status).toBe(0);
  expect(stdout).toMatch(new RegExp(`^${url}/#sign-in=[\\w-]+\n$`));
  expect(stderr).toContain('once');
  expect(await signIn(stdout.trim())).toEqual({ signedIn: true });
  await expect(signIn(stdout.trim())).rejects.toMatchObject({ word: 'wrong-code' });
});

test('prints it as JSON, with its time', async () => {
  const { home } = await startHost();
  const { stdout } = await rouse(home, ['open', '--json']);
  expect(JSON.parse(stdout)).toEqual({
    url: expect.stringContaining('/#sign-in='),
    expiresAt: expect.stringMatching(/^20\d\d-.*Z$/),
  });
});

test('starts a host if none runs, whose log holds no link', async () => {
  const home = newHome();
  const { stdout } = await rouse(home, ['open']);
  expect(stdout).toContain(noteOf(home)?.url);
  expect(await signIn(stdout.trim())).toEqual({ signedIn: true });
  expect(readFileSync(join(home, 'host.log'), 'utf8')).not.toContain('#sign-in');
});

test('is not printed by a host whose standard output is a pipe or a file, where it would stay in a log', async () => {
  const host = begin(newHome(), ['serve']);
  await host.printed('Processes keep running.');
  expect(host.stdout + host.stderr).not.toContain('#sign-in');
  expect(host.stdout).toContain('rouse open');
});

test('is not needed for the first time: a host prints such a link on its terminal, and says how long it works', async () => {
  const home = newHome();
  const host = beginAtTerminal(home, ['serve'], { columns: 200 });
  await host.printed('Processes keep running.');
  const link = /^Open (\S+)\r?\n.*once, within 15 minutes.*rouse open/m.exec(host.stdout)?.[1] ?? '';
  expect(link).toContain(`${noteOf(home)?.url}/#sign-in=`);
  expect(await signIn(link)).toEqual({ signedIn: true });
  await expect(signIn(link)).rejects.toMatchObject({ word: 'wrong-code' });
});
