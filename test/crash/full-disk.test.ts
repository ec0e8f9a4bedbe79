import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { RouseProblem } from '../../src/client/client.js';
import { statOf } from '../../src/place/local/proc.js';
import { diagnosis } from '../cli/diagnosis.js';
import { newFolder, onCleanUp } from '../support/clean-up.js';
import { startHost, type TestHost } from '../support/host.js';
import { until } from '../support/until.js';

/** A small disk of its own; making one needs root, as on the machines that run these tests. */
let home: string;
beforeEach(() => {
  home = newFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=700', 'none', home]);
  onCleanUp(() => execFileSync('umount', ['-l', home]));
});
const fill = () => {
  const file = openSync(join(home, 'ballast'), 'a');
  for (const size of [1_048_576, 4_096, 1])
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' });
    }
  closeSync(file);
};
const makeRoom = () => rmSync(join(home, 'ballast'));

describe('7 a full disk', () => {
  test('refuses a start in a sentence, leaves nothing behind, and takes it again when there is room', async () => {
    const host = await startHost({ home });
    fill();
    const refused = await host.client.start({ command: 'true' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RouseProblem);
    expect((refused as RouseProblem).message).toMatch(/no room|There may be no room|could not be written/i);
    makeRoom();
    expect(await host.client.list()).toEqual([]);
    const { id } = (await host.client.start({ command: 'exit 3' })).process;
    expect((await host.client.wait(id, 30_000)).process.end).toEqual({ kind: 'exited', code: 3 });
    expect(readdirSync(join(home, 'processes'))).toEqual([id]);
  });

  test('does not cost the end of a process that comes while there is no room', async () => {
    const host = await startHost({ home });
    const { id, pid } = (await host.client.start({ command: 'read -r _; echo lost to the disk; exit 3' })).process;
    fill();
    await host.client.write(id, '', { submit: true });
    await until('it is over', () => statOf(pid ?? 0) === undefined);
    expect((await host.client.health()).status).toBe('ok');
    makeRoom();
    expect((await host.client.wait(id, 30_000)).process.end).toMatchObject({ kind: 'exited' });
    await until('the end is logged', () => host.log().includes('"processEnded"'));
    expect(host.log().match(/"processEnded"/g)).toHaveLength(1);
  });

  test('never blocks a command: what cannot be written is dropped, and the process says so', async () => {
    const host = await startHost({ home });
    const witness = join(tmpdir(), `rouse-witness-${process.pid}`);
    const command = `read -r _; head -c 20000000 /dev/zero; echo "written" > ${witness}; read -r _; echo after; exit 3`;
    const { id } = (await host.client.start({ command })).process;
    fill();
    await host.client.write(id, '', { submit: true });
    await until('it has written all', () => existsSync(witness));
    rmSync(witness);
    makeRoom();
    await until('it is told', async () => (await host.client.output(id)).damage?.includes('could not be written'));
    const before = (await host.client.process(id)).process.outputBytes;
    expect(before).toBeLessThan(20_000_000);
    // The reader tries again once a second.
    await until('there is a reader that writes', async () => {
      await host.client.write(id, '', { submit: true }).catch(() => undefined);
      return (await host.client.process(id)).process.state === 'ended';
    });
    expect((await host.client.process(id)).process.end).toEqual({ kind: 'exited', code: 3 });
  });

  test.each([
    ['while a host runs', (host: TestHost) => host.client.health()],
    ['after a host was killed', (host: TestHost) => host.kill()],
    ['after a host has stopped', (host: TestHost) => host.stop()],
  ])('does not end the doctor, which names it, %s', async (_, first) => {
    const host = await startHost({ home });
    await first(host);
    fill();
    const { status, of } = await diagnosis(home);
    expect(status).toBe(1);
    expect(of('room')).toMatchObject({ verdict: 'fail', says: expect.stringContaining('free some space') as string });
    // What comes behind what could not be tried.
    expect(of('disk')?.says).toContain('Could not be checked');
    expect(of('host')).toBeDefined();
  });

  test('at the start of a host harms nothing that was stored', async () => {
    let host = await startHost({ home });
    const { id } = (await host.client.start({ command: 'exit 3' })).process;
    await host.client.wait(id, 30_000);
    await host.kill();
    fill();
    // It may come up, if it needs no more than what it has; if not, it says what it lacks.
    const outcome = await startHost({ home }).catch((error: Error) => error);
    if (outcome instanceof Error) expect(outcome.message).toMatch(/no room|ENOSPC|could not be written/);
    else await outcome.kill();
    makeRoom();
    host = await startHost({ home });
    expect((await host.client.process(id)).process.end).toEqual({ kind: 'exited', code: 3 });
  });
});
