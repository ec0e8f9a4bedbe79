import { expect, test } from 'vitest';
import { startHost } from '../support/host.js';
import { rouse } from './rouse.js';

test('writes lines, bare text and what comes on standard input, in order, and closes', async () => {
  const { home, client } = await startHost();
  const { process } = await client.start({ command: 'cat' });
  expect((await rouse(home, ['write', process.id, 'hé'])).status).toBe(0);
  await rouse(home, ['write', '-n', process.id, 'bare ']);
  await rouse(home, ['write', process.id, '-'], { input: 'piped\nas it is' });
  await rouse(home, ['close', process.id]);
  expect((await rouse(home, ['wait', process.id])).status).toBe(0);
  expect((await rouse(home, ['logs', process.id])).stdout).toBe('hé\nbare piped\nas it is');
});

test('refuses to write to what has ended', async () => {
  const { home, client } = await startHost();
  const { process } = await client.start({ command: 'true' });
  await client.wait(process.id, 10_000);
  const { status, stderr } = await rouse(home, ['write', process.id, 'x']);
  expect(status).toBe(1);
  expect(stderr).toContain('has already ended');
});
