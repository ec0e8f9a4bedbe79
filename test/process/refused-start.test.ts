import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RouseProblem } from '../../src/client/client.js';
import { newHome, startHost, type TestHost } from '../support/host.js';
import { atEveryFault, untilFault } from '../support/until-fault.js';
import { until } from '../support/until.js';

const OWED = { command: 'true', notifyOnComplete: true } as const;

const processesOf = (causes: readonly object[]) =>
  causes.flatMap((cause) => ('process' in cause ? [cause.process] : []));

async function expectNothingLeft(host: TestHost): Promise<void> {
  expect(await host.client.list({ limit: 1_000 })).toEqual([]);
  expect(await host.client.notices()).toEqual([]);
  expect(readdirSync(join(host.home, 'processes'))).toEqual([]);
}

test.each([
  ['notify', { notifyOnComplete: true }],
  ['watch', { watchPatterns: ['x'] }],
  ['a terminal', { notifyOnComplete: true, pty: true }],
])('P21 a directory that is not there leaves no row, folder or notice, with %s', async (_, more) => {
  const host = await startHost();
  const { session } = await host.client.createSession({ title: 'It', agent: 'none' });
  const refused = await host.client
    .start({ command: 'true', cwd: '/nope', session: session.id, ...more })
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(RouseProblem);
  expect((refused as RouseProblem).word).toBe('no-such-directory');
  await expectNothingLeft(host);
  await host.stop();
  await expectNothingLeft(await host.again());
});

test('P21 N1 the agent is woken for the process that ran and for no other', async () => {
  const host = await startHost();
  const { session } = await host.client.createSession({ title: 'It' });
  const refused = { ...OWED, cwd: '/nope', session: session.id };
  for (let round = 0; round < 5; round++) await expect(host.client.start(refused)).rejects.toBeInstanceOf(RouseProblem);
  const { process } = await host.client.start({ ...OWED, session: session.id });
  const wakes = await until('the agent was woken for it', async () => {
    const { entries } = await host.client.session(session.id);
    const wakes = entries.flatMap((entry) => (entry.kind === 'wake' ? [entry] : []));
    return wakes.some(({ causes }) => processesOf(causes).includes(process.id)) && wakes;
  });
  expect(wakes.flatMap(({ causes }) => processesOf(causes))).toEqual([process.id]);
});

test('P21 a shell that is not there leaves no row, folder or notice', async () => {
  const home = newHome();
  const shell = join(home, 'shell');
  copyFileSync('/bin/sh', shell);
  const host = await startHost({ home, env: { ROUSE_SHELL: shell } });
  const { session } = await host.client.createSession({ title: 'It', agent: 'none' });
  rmSync(shell);
  const refused = await host.client.start({ ...OWED, session: session.id }).catch((error: unknown) => error);
  expect((refused as RouseProblem).word).toBe('no-such-shell');
  await expectNothingLeft(host);
});

test('P21 1 a host killed with -9 at every step of a refused start leaves nothing to the next one', async () => {
  let host = await startHost({ fault: 'later' });
  const { session } = await host.client.createSession({ title: 'It', agent: 'none' });
  const points = await atEveryFault(async (fault) => {
    const outcome = await untilFault(host, fault, async (mortal) => {
      await mortal.client.start({ ...OWED, cwd: '/nope', session: session.id }).catch((error: unknown) => {
        if (!(error instanceof RouseProblem) || error.word !== 'no-such-directory') throw error;
      });
    });
    host = await host.again({ fault: 'later' });
    await expectNothingLeft(host);
    return outcome;
  });
  // Remembered, prepared, launched, removed, forgotten: before and after each.
  expect(points).toBeGreaterThanOrEqual(8);
});
