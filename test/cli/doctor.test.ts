import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newHome, startHost } from '../support/host.js';
import { diagnosis } from './diagnosis.js';
import { rouse } from './rouse.js';

test('finds nothing wrong with a host that runs, nor with the store it leaves', async () => {
  const host = await startHost();
  const during = await diagnosis(host.home);
  expect(during.status).toBe(0);
  expect(during.of('host')).toMatchObject({ verdict: 'ok', says: expect.stringContaining(host.url) as string });
  expect(during.of('version')?.verdict).toBe('ok');
  await host.stop();
  const after = await diagnosis(host.home);
  expect(after.of('store')).toMatchObject({ verdict: 'ok', says: expect.stringContaining('is intact') as string });
  expect(after.of('host')?.says).toContain('No host is running');
});

test('says the way out of each trouble', async () => {
  const host = await startHost();
  await host.stop();
  chmodSync(join(host.home, 'token'), 0o644);
  chmodSync(host.home, 0o755);
  writeFileSync(join(host.home, 'config.json'), '{"porte": 1}');
  // A write-ahead log that was left behind would heal the store, and rightly so.
  for (const left of ['rouse.db-wal', 'rouse.db-shm']) rmSync(join(host.home, left), { force: true });
  writeFileSync(join(host.home, 'rouse.db'), 'no database at all, but a long enough text to look like one'.repeat(40));
  const { status, of } = await diagnosis(host.home);
  expect(status).toBe(1);
  expect(of('token')).toMatchObject({
    verdict: 'fail',
    says: expect.stringContaining('Other users can read') as string,
  });
  expect(of('home')).toMatchObject({ verdict: 'warn', says: expect.stringContaining('chmod 700') as string });
  expect(of('configuration')).toMatchObject({ verdict: 'fail', says: expect.stringContaining('porte') as string });
  expect(of('store')).toMatchObject({ verdict: 'fail', says: expect.stringContaining('damaged') as string });
});

test('names a host that is alive and does not answer', async () => {
  const host = await startHost();
  host.child.kill('SIGSTOP');
  const { status, of } = await diagnosis(host.home);
  expect(status).toBe(1);
  expect(of('host')).toMatchObject({ verdict: 'fail', says: expect.stringContaining(`kill -9 ${host.pid}`) as string });
});

test('changes nothing where there is no home yet', async () => {
  const home = join(newHome(), 'not-yet');
  const { status, of } = await diagnosis(home);
  expect(status).toBe(0);
  expect(of('home')?.says).toContain('when the first host starts');
});

test('prints a line for each finding', async () => {
  const { stdout } = await rouse(newHome(), ['doctor']);
  expect(stdout).toMatch(/^ok {4}node /m);
  expect(stdout).not.toContain('\u001b');
});
