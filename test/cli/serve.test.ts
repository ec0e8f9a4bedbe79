import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, createServer, type AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { newHome, noteOf } from '../support/host.js';
import { until } from '../support/until.js';
import { begin, endHost, isAlive, rouse, started } from './rouse.js';

test('says where it is and how to use it, and stops at a signal while processes go on', async () => {
  const home = newHome();
  const host = begin(home, ['serve']);
  await host.printed('Processes keep running.');
  expect(host.stdout).toContain(noteOf(home)?.url);
  const id = await started(home, '--', 'sleep 60');
  host.child.kill('SIGTERM');
  const { status, stderr } = await host.outcome();
  expect(status).toBe(0);
  expect(stderr).toContain('Processes keep running');
  expect(noteOf(home)).toBeUndefined();
  await started(home, '--', 'true');
  expect((await rouse(home, ['ps'])).stdout).toContain(id.slice(0, 11));
});

test('ends at once at the second signal', async () => {
  const home = newHome();
  const host = begin(home, ['serve']);
  await host.printed('Processes keep running.');
  // A request that has only half arrived keeps the first signal's stop waiting for its rest.
  const { port } = new URL(noteOf(home)?.url ?? '');
  const half = connect(Number(port), '127.0.0.1');
  half.on('error', () => undefined);
  await new Promise((sent) => half.write('GET /healthz HTTP/1.1\r\nHost: ', sent));
  host.child.kill('SIGINT');
  await host.printed('the host is stopping');
  host.child.kill('SIGINT');
  expect((await host.outcome()).status).toBe(1);
  half.destroy();
});

test('outlives the reader of what it prints', async () => {
  const home = newHome();
  const host = begin(home, ['serve']);
  host.child.stdout?.destroy();
  await until('it serves', () => noteOf(home));
  expect((await rouse(home, ['ps'])).status).toBe(0);
  expect(isAlive(noteOf(home)?.pid ?? 0)).toBe(true);
});

describe('what keeps it from serving is one sentence', () => {
  const failure = async (home: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) => {
    const { status, stderr } = await rouse(home, ['serve', ...args], { env: { ROUSE_LOG_LEVEL: 'silent', ...env } });
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    return stderr;
  };

  test('a home that another host holds', async () => {
    const home = newHome();
    await started(home, '--', 'true');
    expect(await failure(home)).toContain(`Another host holds ${home}: process ${noteOf(home)?.pid}`);
    await endHost(home);
  });

  test('a configuration that cannot be used', async () => {
    expect(await failure(newHome({ port: 'x' }), [], { ROUSE_PORT: '' })).toContain('port');
  });

  test('a token that could be guessed, from the environment or from the file', async () => {
    expect(await failure(newHome(), [], { ROUSE_TOKEN: 'x' })).toBe(
      'The token in ROUSE_TOKEN has 1 of at least 32 characters. Make one with: openssl rand -hex 32\n',
    );
    expect(await failure(newHome(), [], { ROUSE_TOKEN: 'ä'.repeat(40) })).toContain('not allowed in a header');
    const home = newHome();
    writeFileSync(join(home, 'token'), 'short\n');
    expect(await failure(home)).toContain(`The token in ${join(home, 'token')} has 5 of at least 32 characters.`);
    expect(readFileSync(join(home, 'token'), 'utf8')).toBe('short\n');
  });

  test('a port that is taken', async () => {
    const other = createServer();
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const { port } = other.address() as AddressInfo;
    expect(await failure(newHome(), ['--port', String(port)])).toContain(
      `Port ${port} on 127.0.0.1 is used by another program`,
    );
    other.close();
  });
});

test('refuses a port that is none as wrong usage', async () => {
  expect(await rouse(newHome(), ['serve', '--port', '70000'])).toMatchObject({ status: 2, stdout: '' });
});
