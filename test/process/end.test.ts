import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { StartInput } from '../../src/contract/process.js';
import { statOf } from '../../src/place/local/proc.js';
import { startHost, type TestHost } from '../support/host.js';
import { until } from '../support/until.js';

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ config: { kill: { graceMs: 500 } } });
});

const start = async (command: string, more: Partial<StartInput> = {}) =>
  (await host.client.start({ command, ...more })).process.id;
const textOf = async (id: string) => (await host.client.output(id)).text;

/** The pids that a command printed, one a line after the word. */
const pidsOf = (id: string, count: number) =>
  until(`${count} pids are printed`, async () => {
    const pids = (await textOf(id)).match(/\d+/g)?.map(Number) ?? [];
    return pids.length >= count && pids;
  });

describe('the end of a process', () => {
  test('P5 is told by wait within moments; a wait that runs out is no error', async () => {
    const id = await start('read -r _; exit 9');
    expect(await host.client.wait(id, 50)).toMatchObject({ outcome: 'running', process: { state: 'running' } });
    const waiting = host.client.wait(id, 30_000);
    await host.client.write(id, '', { submit: true });
    expect(await waiting).toMatchObject({ outcome: 'ended', process: { end: { kind: 'exited', code: 9 } } });
  });

  test('P5 is not waited for with zero or less', async () => {
    const id = await start('sleep 60');
    await expect(host.client.wait(id, 0)).rejects.toThrow('a wait of zero or less');
    await expect(host.client.wait(id, -5)).rejects.toThrow('a wait of zero or less');
    await host.client.kill(id, 'KILL');
  });

  test.each([
    ['a pipe', false],
    ['a terminal', true],
  ])('P7 reaches the whole tree in %s, also what left the group, also what ignores SIGTERM', async (_, pty) => {
    const id = await start(
      `trap '' TERM HUP
       setsid sh -c 'echo $$; trap "" TERM; sleep 61; sleep 62' &
       (sh -c 'echo $$; exec sleep 63' &)
       sh -c 'echo $$; trap "" TERM; while :; do sleep 64; done' &
       wait; wait; sleep 65`,
      { pty },
    );
    const pids = await pidsOf(id, 3);
    const { outcome, survivors, process } = await host.client.kill(id);
    expect({ outcome, survivors }).toEqual({ outcome: 'ended', survivors: [] });
    expect(process.end).toEqual({ kind: 'signalled', signal: 'SIGKILL', by: 'person' });
    expect(pids.map((pid) => statOf(pid))).toEqual(pids.map(() => undefined));
  });

  test('P7 finds a daemon that forked twice and was adopted by nobody of ours', async () => {
    const id = await start(`(setsid sh -c 'echo $$; (sleep 71; :) & wait' &) ; sleep 72`);
    const [daemon = 0] = await pidsOf(id, 1);
    expect((await host.client.kill(id)).survivors).toEqual([]);
    expect(statOf(daemon)).toBeUndefined();
  });

  test('P7 finds one without a mark that outlives the command in its session', async () => {
    const id = await start(`env -i sh -c 'trap "" TERM; echo $$; while :; do sleep 0.1; done' & wait`);
    const [pid = 0] = await pidsOf(id, 1);
    expect(await host.client.kill(id)).toMatchObject({ outcome: 'ended', survivors: [] });
    expect(statOf(pid)).toBeUndefined();
  });

  test('P7 lets a process go that takes SIGTERM as it should', async () => {
    const id = await start(`trap 'echo tidying; exit 0' TERM; echo ready; while :; do sleep 0.05; done`);
    await until('it is ready', async () => (await textOf(id)).includes('ready'));
    const { process } = await host.client.kill(id);
    expect(process.end).toEqual({ kind: 'exited', code: 0 });
    expect(process.stop).toMatchObject({ by: 'person', signal: 'SIGTERM' });
    expect(await textOf(id)).toContain('tidying');
  });

  test('P7 ends a process that has stopped itself', async () => {
    const id = await start('kill -STOP $$');
    expect((await host.client.kill(id)).process.end).toMatchObject({ kind: 'signalled', by: 'person' });
  });

  test('P7 P13 ends a process that has stopped what holds its terminal, ten times', async () => {
    const ids = await Promise.all(
      Array.from({ length: 10 }, () =>
        start(`kill -STOP $PPID; touch "${host.home}/stopped.$ROUSE_PROCESS"; sleep 1000`, { pty: true }),
      ),
    );
    await until('all are stopped', () => ids.every((id) => existsSync(join(host.home, `stopped.${id}`))));
    await Promise.all(ids.map((id) => host.client.kill(id)));
    for (const id of ids)
      expect(await host.client.wait(id, 20_000)).toMatchObject({
        outcome: 'ended',
        process: { end: { kind: 'signalled', signal: 'SIGTERM', by: 'person' } },
      });
  });

  test('P8 is shown by a kill that comes too late', async () => {
    const id = await start('exit 6');
    await host.client.wait(id, 30_000);
    expect(await host.client.kill(id)).toMatchObject({
      outcome: 'already-ended',
      survivors: [],
      process: { end: { kind: 'exited', code: 6 } },
    });
  });

  test('P9 is one, when two kill at once and it ends by itself', async () => {
    for (let round = 0; round < 30; round++) {
      const id = await start('sleep 0.0$((RANDOM % 9)); exit 7');
      const outcomes = await Promise.all([
        host.client.kill(id),
        host.client.kill(id, 'KILL'),
        host.client.wait(id, 30_000),
      ]);
      const ends = new Set(outcomes.map(({ process }) => JSON.stringify(process.end)));
      expect(ends.size).toBe(1);
    }
    const log = host
      .log()
      .split('\n')
      .filter((line) => line.includes('"processEnded"'));
    const told = log.map((line) => (JSON.parse(line) as { process: string }).process);
    expect(new Set(told).size).toBe(told.length);
  });

  test('P10 P2 comes at once for commands that end in their first moment and leave a child behind', async () => {
    const ids = await Promise.all(Array.from({ length: 14 }, () => start('sleep 82 & echo $!; exit 6')));
    for (const id of ids) {
      expect((await host.client.wait(id, 30_000)).process.end).toEqual({ kind: 'exited', code: 6 });
      const [grandchild = 0] = await pidsOf(id, 1);
      process.kill(grandchild, 'SIGKILL');
    }
  });

  test('P10 comes although a grandchild holds the output open', async () => {
    const id = await start('sleep 81 & echo $!; exit 2');
    expect((await host.client.wait(id, 30_000)).process.end).toEqual({ kind: 'exited', code: 2 });
    const [grandchild = 0] = await pidsOf(id, 1);
    expect(statOf(grandchild)).toBeDefined();
    process.kill(grandchild, 'SIGKILL');
  });

  test('comes although a command rings the bell without end, for it and for others', async () => {
    const wild = await start(`yes | head -c 400000000 >> ${join(host.home, 'bell')}; exit 4`);
    const tame = await start('exit 3');
    expect(await host.client.wait(tame, 60_000)).toMatchObject({ process: { end: { kind: 'exited', code: 3 } } });
    expect(await host.client.wait(wild, 60_000)).toMatchObject({ process: { end: { kind: 'exited', code: 4 } } });
    expect(await until('the bell is emptied', () => statSync(join(host.home, 'bell')).size < 1_000_000)).toBe(true);
  });

  test('P18 comes at the time limit, and says so', async () => {
    const id = await start('sleep 60', { timeoutMs: 300 });
    expect((await host.client.wait(id, 30_000)).process.end).toEqual({
      kind: 'signalled',
      signal: 'SIGTERM',
      by: 'limit of 300 ms',
    });
  });

  test('does not come by a signal that only tells', async () => {
    const id = await start('trap "echo told" USR1; echo ready; while :; do sleep 0.05; done');
    await until('it is ready', async () => (await textOf(id)).includes('ready'));
    expect((await host.client.kill(id, 'usr1')).outcome).toBe('signalled');
    await until('it was told', async () => (await textOf(id)).includes('told'));
    await expect(host.client.kill(id, 'SIGNONSENSE')).rejects.toThrow('signal');
    await host.client.kill(id, 'KILL');
  });

  test('2 names the signal when the command alone is killed from outside', async () => {
    const id = await start('sleep 60');
    process.kill((await host.client.process(id)).process.pid ?? 0, 'SIGKILL');
    expect((await host.client.wait(id, 30_000)).process.end).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
  });

  test.each([
    ['a pipe', false],
    ['a terminal', true],
  ])('2 is unknown, once, when the shim of %s is killed; the output goes on', async (_, pty) => {
    const id = await start('trap "" HUP; echo one; while [ ! -e "$FLAG" ]; do sleep 0.02; done; echo two; exit 3', {
      pty,
      env: { FLAG: join(host.home, `flag-${pty}`) },
    });
    await until('it runs', async () => (await textOf(id)).includes('one'));
    process.kill(shimOf(id), 'SIGKILL');
    expect((await host.client.process(id)).process.state).toBe('running');
    spawn('touch', [join(host.home, `flag-${pty}`)]);
    const { process: ended } = await host.client.wait(id, 60_000);
    expect(ended.end).toMatchObject({ kind: 'lost', why: expect.stringContaining('exit unknown') });
    expect(await textOf(id)).toContain('two');
  });

  test.each(['SIGTERM', 'SIGHUP'] as const)('is not invented when %s reaches the shim', async (signal) => {
    const id = await start('read -r _; exit 3');
    process.kill(shimOf(id), signal);
    process.kill(shimOf(id), signal);
    await host.client.write(id, '', { submit: true });
    expect((await host.client.wait(id, 30_000)).process.end).toEqual({ kind: 'exited', code: 3 });
  });

  test('10 ends a fork bomb within a limit, and the host lives', async () => {
    const id = await start(
      'ulimit -u 2000 2> /dev/null; n=0; bomb() { [ $1 -gt 5 ] && sleep 60; bomb $(($1 + 1)) & bomb $(($1 + 1)) & wait; }; bomb 0',
    );
    await until('it has multiplied', async () => (await host.client.health()).status === 'ok' && childrenOf(id) > 20);
    const { survivors, outcome } = await host.client.kill(id);
    expect({ survivors, outcome }).toEqual({ survivors: [], outcome: 'ended' });
    expect((await host.client.health()).status).toBe('ok');
  });
});

const shimOf = (id: string): number =>
  Number(/^shim (\d+)/.exec(readFileSync(join(host.home, 'processes', id, 'pid'), 'latin1'))?.[1]);

/** How many processes of this machine were born with the mark of this one. */
function childrenOf(id: string): number {
  let count = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`ROUSE_PROCESS=${id}`)) count++;
    } catch {
      // ENOENT, EACCES: no such process, or not ours.
    }
  }
  return count;
}
