import { expect, test } from 'vitest';
import { startHost } from '../support/host.js';
import { rouse } from './rouse.js';

async function scene() {
  const { home, client } = await startHost();
  const { session } = await client.createSession({ agent: 'none', title: 'Builds' });
  return { home, client, session: session.id };
}

test('N13 tells a session something, from anybody', async () => {
  const { home, client, session } = await scene();
  const { status, stdout } = await rouse(home, [
    'notify',
    '--session',
    session.slice(0, 12),
    'deployed',
    '--from',
    'ci',
  ]);
  expect(status).toBe(0);
  expect(await client.notices({ session })).toMatchObject([
    { id: stdout.trim(), kind: 'message', line: 'Message from ci: deployed' },
  ]);
});

test('N13 is told once for a key, and says so', async () => {
  const { home, client, session } = await scene();
  const notify = ['notify', '--session', session, '--key', 'release 7', 'deployed'];
  const first = await rouse(home, notify);
  expect(first.stderr).toBe('');
  const again = await rouse(home, notify);
  expect(again).toMatchObject({ status: 0, stdout: first.stdout });
  expect(again.stderr).toContain('Nothing was added');
  expect(await client.notices({ session })).toHaveLength(1);
});

test('reads the text from standard input', async () => {
  const { home, client, session } = await scene();
  await rouse(home, ['notify', '--session', session, '-'], { input: 'first line\nsecond line\n' });
  expect((await client.notices({ session }))[0]?.cause).toMatchObject({ text: 'first line\nsecond line' });
});

test('refuses in a sentence what cannot be told', async () => {
  const { home, session } = await scene();
  expect(await rouse(home, ['notify', '--session', 'nobody', 'x'])).toMatchObject({
    status: 1,
    stderr: 'There is no session "nobody". "rouse sessions" lists them.\n',
  });
  expect((await rouse(home, ['notify', '--session', session, ' '])).status).toBe(1);
  expect((await rouse(home, ['notify', 'x'])).status).toBe(2);
});
