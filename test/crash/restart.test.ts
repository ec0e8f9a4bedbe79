import { DatabaseSync } from '@photostructure/sqlite';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { statOf } from '../../src/place/local/proc.js';
import { exited, newHome, spawnHost, startHost, type TestHost } from '../support/host.js';
import { until } from '../support/until.js';

const counting = 'for i in 1 2 3 4 5; do echo $i; sleep 0.2; done; exit 3';
/** Changes who a process was seen to be, as a reboot or a reuse of its pid would. */
const rewrite = (host: TestHost, id: string, change: (lifecycle: string) => string) => {
  const db = new DatabaseSync(join(host.home, 'rouse.db'));
  const { lifecycle } = db.prepare('select lifecycle from processes where id = ?').get(id) as { lifecycle: string };
  db.prepare('update processes set lifecycle = ? where id = ?').run(change(lifecycle), id);
  db.close();
};
const plainOutput = async (host: TestHost, id: string) => (await host.client.output(id, { plain: true })).text;

describe.each([
  ['a pipe', false],
  ['a terminal', true],
])('P12 a process with %s, when the host is killed with -9', (_, pty) => {
  test('is still running afterwards, and its output goes on with no gap', async () => {
    let host = await startHost();
    const flag = join(host.home, 'go-on');
    const command = `echo 1; while [ ! -e '${flag}' ]; do sleep 0.02; done; seq 2 5; exit 3`;
    const { id } = (await host.client.start({ command, pty })).process;
    await until('it has begun', async () => (await plainOutput(host, id)).startsWith('1\n'));
    await host.kill();
    host = await host.again();
    expect((await host.client.process(id)).process.state).toBe('running');
    writeFileSync(flag, '');
    expect((await host.client.wait(id, 30_000)).process.end).toEqual({ kind: 'exited', code: 3 });
    expect(await plainOutput(host, id)).toBe('1\n2\n3\n4\n5\n');
  });

  test('has its true code, the true time of its end and all its output when it ended meanwhile', async () => {
    let host = await startHost();
    const { id, pid = 0 } = (await host.client.start({ command: counting, pty })).process;
    await host.kill();
    await until('it has ended without a host', () => statOf(pid) === undefined);
    const endedBefore = Date.now() + 50;
    host = await host.again();
    const { process } = await host.client.process(id);
    expect(process).toMatchObject({ state: 'ended', end: { kind: 'exited', code: 3 } });
    expect(Date.parse(process.endedAt ?? '')).toBeLessThanOrEqual(endedBefore);
    expect(Date.parse(process.endedAt ?? '') - Date.parse(process.startedAt)).toBeGreaterThanOrEqual(950);
    expect(await plainOutput(host, id)).toBe('1\n2\n3\n4\n5\n');
  });
});

describe('a restart', () => {
  test('P16 leaves processes alone when it is graceful, also with two signals', async () => {
    let host = await startHost();
    const { id, pid } = (await host.client.start({ command: 'sleep 60' })).process;
    const gone = exited(host.child);
    host.child.kill('SIGTERM');
    host.child.kill('SIGTERM');
    await gone;
    expect(statOf(pid ?? 0)).toBeDefined();
    host = await host.again();
    expect((await host.client.process(id)).process).toMatchObject({ state: 'running', pid });
    await host.client.kill(id, 'KILL');
  });

  test('P11 neither adopts nor signals a pid that was given to somebody else', async () => {
    let host = await startHost();
    const stranger = (await host.client.start({ command: 'sleep 60', name: 'stranger' })).process;
    const { id } = (await host.client.start({ command: 'sleep 60' })).process;
    await host.kill();
    // The record now names living pids, as after a reuse: the right numbers with another start time.
    rewrite(host, id, (text) =>
      text.replaceAll(/"pid":\d+,"startTime":"(\d+)"/g, `"pid":${stranger.pid},"startTime":"1$1"`),
    );
    host = await host.again();
    expect((await host.client.process(id)).process.end).toMatchObject({
      kind: 'lost',
      why: expect.stringContaining('exit unknown'),
    });
    expect(await host.client.kill(id)).toMatchObject({ outcome: 'already-ended' });
    expect(statOf(stranger.pid ?? 0)).toBeDefined();
    expect((await host.client.process(stranger.id)).process.state).toBe('running');
  });

  test('P11 P14 adopts nothing from before a reboot', async () => {
    let host = await startHost();
    const { id, pid } = (await host.client.start({ command: 'sleep 60' })).process;
    await host.kill();
    rewrite(host, id, (text) => text.replaceAll(/[0-9a-f-]{36}/g, '00000000-0000-0000-0000-000000000000'));
    host = await host.again();
    expect((await host.client.process(id)).process.end).toEqual({
      kind: 'lost',
      why: 'exit unknown: the machine was restarted while it ran',
    });
    expect(statOf(pid ?? 0)).toBeDefined();
    process.kill(pid ?? 0, 'SIGKILL');
  });

  test('3 tells ends that came while the host was stopped, once', async () => {
    const host = await startHost();
    const ids = await Promise.all(
      [1, 2, 3].map(async (code) => (await host.client.start({ command: `read -r _; exit ${code}` })).process),
    );
    const waits = ids.map(({ id }) => host.client.wait(id, 60_000));
    process.kill(host.pid, 'SIGSTOP');
    for (const { pid } of ids) process.kill(pid ?? 0, 'SIGKILL');
    await until('they are gone', () => ids.every(({ pid }) => statOf(pid ?? 0) === undefined));
    process.kill(host.pid, 'SIGCONT');
    for (const waited of await Promise.all(waits))
      expect(waited.process.end).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
    const told = await until('three ends are logged', () => {
      const ends = host.log().match(/"processEnded"/g) ?? [];
      return ends.length >= 3 && ends;
    });
    expect(told).toHaveLength(3);
  });

  test('3 is refused to a second host on the same home, which says who holds it', async () => {
    const host = await startHost();
    const second = spawnHost({ home: host.home });
    await exited(second.child);
    expect(second.child.exitCode).not.toBe(0);
    expect(second.log()).toContain('Another host holds');
    expect((await host.client.health()).status).toBe('ok');
  });

  test('goes on with a kill that it interrupted', async () => {
    let host = await startHost({ config: { kill: { graceMs: 60_000 } } });
    const { id } = (await host.client.start({ command: 'trap "" TERM; echo ready; while :; do sleep 0.1; done' }))
      .process;
    await until('it ignores SIGTERM', async () => (await plainOutput(host, id)) === 'ready\n');
    const asked = host.client.kill(id).catch(() => 'cut off');
    await until('the stop is stored', async () => (await host.client.process(id)).process.stop);
    await host.kill();
    expect(await asked).toBe('cut off');
    host = await host.again({ config: { kill: { graceMs: 100 } } });
    expect((await host.client.wait(id, 30_000)).process.end).toEqual({
      kind: 'signalled',
      signal: 'SIGKILL',
      by: 'person',
    });
  });

  test('keeps the time limit of a process that outlived the host', async () => {
    let host = await startHost();
    const { id } = (await host.client.start({ command: 'sleep 60', timeoutMs: 1_500 })).process;
    await host.kill();
    host = await host.again();
    expect((await host.client.wait(id, 30_000)).process.end).toMatchObject({
      kind: 'signalled',
      by: 'limit of 1500 ms',
    });
  });

  test('keeps the hole of an output that went over its quota', async () => {
    let host = await startHost({ config: { output: { quotaBytes: 131_072 } } });
    const { id } = (await host.client.start({ command: 'seq 1 200000; read -r _; echo end' })).process;
    const before = await until(
      'bytes were released',
      async () => (await host.client.process(id)).process.releasedBytes || undefined,
    );
    await host.kill();
    host = await host.again();
    await host.client.write(id, '', { submit: true });
    const { process } = await host.client.wait(id, 30_000);
    expect(process.releasedBytes).toBeGreaterThanOrEqual(before);
    expect((await host.client.output(id, { line: -1, lines: 1 })).text).toBe('end\n');
  });
});

describe('the launcher', () => {
  test('2 is replaced when it is killed, and no start is lost or doubled', async () => {
    const host = await startHost({ config: { limits: { processes: 200 } } });
    const starts = Array.from({ length: 60 }, (_, index) =>
      host.client.start({ command: `echo started >> ${join(host.home, `stamp-${index}`)}`, name: String(index) }),
    );
    for (let kills = 0; kills < 5; kills++) {
      const launcher = await until('there is a launcher', () => launcherOf(host.pid));
      process.kill(launcher, 'SIGKILL');
      await until('there is another', () => {
        const now = launcherOf(host.pid);
        return now !== undefined && now !== launcher ? now : undefined;
      });
    }
    const ids = (await Promise.all(starts)).map(({ process }) => process.id);
    for (const id of ids) expect((await host.client.wait(id, 30_000)).process.end).toEqual({ kind: 'exited', code: 0 });
    for (let index = 0; index < 60; index++)
      expect(readFileSync(join(host.home, `stamp-${index}`), 'utf8')).toBe('started\n');
  });
});

describe('a home that makes trouble', () => {
  test('2 keeps every output when the store has lost its memory, and says so', async () => {
    let host = await startHost();
    const { id } = (await host.client.start({ command: 'echo precious' })).process;
    await host.client.wait(id, 30_000);
    await host.stop();
    for (const name of ['rouse.db', 'rouse.db-wal', 'rouse.db-shm']) rmSync(join(host.home, name), { force: true });
    host = await host.again();
    expect(await host.client.list()).toEqual([]);
    expect(readFileSync(join(host.home, 'processes', id, 'output'), 'utf8')).toBe('precious\n');
    const lost = host;
    await until('the host says which folder it does not know', () => lost.log().includes('strangerFolder'));
    await host.stop();
    writeFileSync(join(host.home, 'rouse.db'), '');
    await expect(host.again()).rejects.toThrow('is empty although it was written before');
  });

  test('refuses a configuration with an unknown key, and names it', async () => {
    const home = newHome({ limits: { proceses: 3 } });
    const { child, log } = spawnHost({ home });
    await exited(child);
    expect(log()).toContain('limits');
    expect(log()).toContain('proceses');
  });
});

/** The child of the host that runs launcher.sh. */
function launcherOf(host: number): number | undefined {
  const children = readFileSync(`/proc/${host}/task/${host}/children`, 'latin1')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return children.find((pid) => statOf(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('launcher.sh'));
}
