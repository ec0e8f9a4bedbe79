import { describe, expect, test } from 'vitest';
import type { SessionView } from '../../src/contract/session.js';
import { newHome, startHost } from '../support/host.js';
import { beginAtTerminal, rouse } from './rouse.js';

const WEBHOOK = 'http://127.0.0.1:9/notices';

const listed = async (home: string): Promise<SessionView[]> =>
  (JSON.parse((await rouse(home, ['sessions', '--json'])).stdout) as { sessions: SessionView[] }).sessions;

test('lists sessions with what they are owed and what runs for them', async () => {
  const { home, client } = await startHost();
  const { session } = await client.createSession({ agent: 'none', title: 'Builds' });
  await client.notify(session.id, 'hello');
  await client.start({ session: session.id, command: 'sleep 60', notifyOnComplete: true });
  const { stdout } = await rouse(home, ['sessions']);
  expect(stdout).toMatch(/^ID +STATE +OWED +RUNNING +UPDATED +TITLE\n/);
  expect(stdout).toMatch(/\nses_[0-9a-z]{6} +idle +1 +1 +\S+ ago +Builds\n/);
  expect(await listed(home)).toMatchObject([{ id: session.id, title: 'Builds', owed: 1, running: 1 }]);
});

test('fits a narrow terminal and lets no title touch it', async () => {
  const { home, client } = await startHost();
  await client.createSession({ agent: 'none', title: `Builds \u001b]0;owned\u0007${'long '.repeat(30)}` });
  const { stdout } = await beginAtTerminal(home, ['sessions'], { columns: 50 }).outcome();
  expect(stdout).not.toContain('\u001b]');
  expect(stdout).toContain('…');
  expect(stdout.trimEnd().split('\n')).toHaveLength(2);
});

test('says how to make the first', async () => {
  const { home } = await startHost();
  expect(await rouse(home, ['sessions'])).toEqual({
    status: 0,
    stdout: '',
    stderr: 'There are no sessions. To create one: rouse sessions new TITLE\n',
  });
});

describe('a new session', () => {
  test('is made as it is asked for, on a host that is started for it', async () => {
    const home = newHome();
    const policies = ['--people', 'error', '--wakes', 'failure', '--model', 'rehearsal'];
    const { status, stdout, stderr } = await rouse(home, ['sessions', 'new', 'My builds', ...policies]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(await listed(home)).toMatchObject([
      { id: stdout.trim(), title: 'My builds', people: 'error', wakes: 'failure', model: 'rehearsal' },
    ]);
  });

  test('has the secret of its webhook told once, and never when the caller chose it', async () => {
    const { home } = await startHost();
    const made = await rouse(home, ['sessions', 'new', 'Hooked', '--webhook', WEBHOOK]);
    expect(made.stdout).toMatch(/^ses_[0-9a-z]+\n$/);
    expect(made.stderr).toMatch(/shown only this once: whsec_\S+\n$/);
    const chosen = 'a secret of my own choice';
    const own = await rouse(home, ['sessions', 'new', '--webhook', WEBHOOK, '--secret', chosen]);
    expect(own.stderr).toBe('');
    const all = await rouse(home, ['sessions', '--json']);
    expect(all.stdout).toContain(WEBHOOK);
    expect(all.stdout).not.toMatch(/whsec_|my own choice/);
  });

  test.each([[['new', '--secret', 'a secret without a webhook']], [['new', '--people', 'some']], [['set', 'ses_x']]])(
    'is not made of %j, which is wrong usage',
    async (args) => {
      const { home } = await startHost();
      const { status, stderr } = await rouse(home, ['sessions', ...args]);
      expect(status).toBe(2);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(await listed(home)).toEqual([]);
    },
  );
});

test('changes a session under whatever beginning of its id was typed, and takes away', async () => {
  const { home, client } = await startHost();
  const { session } = await client.createSession({
    agent: 'none',
    title: 'Old',
    model: 'some',
    webhook: { url: WEBHOOK },
  });
  const set = ['sessions', 'set', session.id.slice(4, 14)];
  const { stdout } = await rouse(home, [...set, '--title', 'New', '--people', 'off', '--no-webhook', '--no-model']);
  expect(stdout).toBe(`${session.id}\n`);
  const [changed] = await listed(home);
  expect(changed).toMatchObject({ title: 'New', people: 'off' });
  expect(changed).not.toHaveProperty('webhook');
  expect(changed).not.toHaveProperty('model');
});

test('N8 closes a session: what it is owed is told no more', async () => {
  const { home, client } = await startHost();
  const { session } = await client.createSession({ agent: 'none', title: 'Builds' });
  const { notice } = await client.notify(session.id, 'hello');
  const { stderr } = await rouse(home, ['sessions', 'close', session.id]);
  expect(stderr).toContain(`Closed session "Builds" (${session.id})`);
  expect((await rouse(home, ['sessions'])).stdout).toMatch(/closed +0 +0/);
  expect((await rouse(home, ['why', notice.id])).stdout).toContain('a person had closed or reset the session');
});
