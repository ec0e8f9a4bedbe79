/** What a host that is gone left in `host.json` never deceives anybody, whoever has its pid or its port by now. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clientOf, NoHost } from '../../src/cli/host/find-host.js';
import { noteOf, startHost, type TestHost } from '../support/host.js';
import { until } from '../support/until.js';
import { isAlive, rouse } from './rouse.js';

const change = (home: string, changes: object) =>
  writeFileSync(join(home, 'host.json'), JSON.stringify({ ...noteOf(home), ...changes }));

function startTimeOf(pid = 0): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

/** Every command finds or starts a host that answers. */
async function expectCommandsToWork(home: string, id: string): Promise<void> {
  expect(await rouse(home, ['wait', id])).toMatchObject({ status: 3 });
  for (const command of [['ps', '-a'], ['sessions'], ['notices']])
    expect(await rouse(home, command)).toMatchObject({ status: 0 });
  expect(isAlive(noteOf(home)?.pid ?? 0)).toBe(true);
}

async function deadHost(): Promise<{ host: TestHost; id: string }> {
  const host = await startHost();
  const { process } = await host.client.start({ command: 'exit 3' });
  await host.client.wait(process.id, 10_000);
  await host.kill();
  return { host, id: process.id };
}

describe('D2 a host.json that outlived its host', () => {
  test('whose pid went to another program', async () => {
    const { host, id } = await deadHost();
    const other = spawn('sleep', ['60']);
    change(host.home, { pid: other.pid });
    await expectCommandsToWork(host.home, id);
    expect(other.exitCode).toBeNull();
    other.kill('SIGKILL');
  });

  test('whose pid is a zombie', async () => {
    const { host, id } = await deadHost();
    // The shell never waits for its child, because it has become another program.
    const parent = spawn('sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 60']);
    let said = '';
    parent.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const pid = await until('the child is a zombie', () => {
      const child = Number(said);
      return child > 0 && / Z /.test(readFileSync(`/proc/${child}/stat`, 'latin1')) && child;
    });
    change(host.home, { pid, startTime: startTimeOf(pid) });
    await expectCommandsToWork(host.home, id);
    parent.kill('SIGKILL');
  });

  test('that was written before the machine was started again', async () => {
    const { host, id } = await deadHost();
    const other = spawn('sleep', ['60']);
    change(host.home, {
      pid: other.pid,
      startTime: startTimeOf(other.pid),
      boot: '00000000-0000-4000-8000-000000000000',
    });
    await expectCommandsToWork(host.home, id);
    other.kill('SIGKILL');
  });

  test.each(['', 'null', '[]', '{}', '{"pid":"x","url":3}', '{"pid":'])('that holds %j', async (text) => {
    const { host, id } = await deadHost();
    writeFileSync(join(host.home, 'host.json'), text);
    expect(await rouse(host.home, ['wait', id])).toMatchObject({ status: 3 });
  });

  test('whose port went to a foreign server, which is never sent the token', async () => {
    const { host, id } = await deadHost();
    const heard: string[] = [];
    const foreign = createServer((request, response) => {
      heard.push(JSON.stringify(request.headers));
      response.end('{"status":"ok"}');
    });
    await new Promise<void>((listening) => foreign.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
    const other = spawn('sleep', ['60']);
    change(host.home, { pid: other.pid, url });
    await expectCommandsToWork(host.home, id);
    // And when the host itself lives, but the port in its note is not its own.
    change(host.home, { url });
    expect(() => clientOf({ env: { ROUSE_HOME: host.home }, stderr: process.stderr })).toThrow(NoHost);
    expect(heard).toEqual([]);
    other.kill('SIGKILL');
    foreign.close();
  });
});
