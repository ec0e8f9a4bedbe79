import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { StartInput } from '../../src/contract/process.js';
import { newHome, NOBODY, startHost, type TestHost } from '../support/host.js';
import { until } from '../support/until.js';

const run = async (host: TestHost, command: string, more: Partial<StartInput> = {}) => {
  const { process } = await host.client.start({ command, cwd: '/', ...more });
  return (await host.client.wait(process.id, 60_000)).process;
};
const textOf = async (host: TestHost, id: string) =>
  (await host.client.output(id, { limit: 1_000_000 })).text.replaceAll('\r', '');

describe.each([
  ['root', undefined],
  ['an ordinary user', NOBODY],
])('P24 the output of a command of %s', (_, uid) => {
  let host: TestHost;
  beforeAll(async () => {
    const home = newHome();
    host = await startHost({ home, ...(uid !== undefined && { uid }), env: { HOME: home } });
  });

  test.each([
    ['> /dev/stderr', 'echo one; echo two > /dev/stderr; echo three >&2; echo four', 'one\ntwo\nthree\nfour\n'],
    ['> /dev/stdout', 'set -e; echo one; echo two > /dev/stdout; echo three', 'one\ntwo\nthree\n'],
    ['/proc/self/fd/2', 'echo one; echo two > /proc/self/fd/2; echo three', 'one\ntwo\nthree\n'],
    ['tee /dev/stderr', 'echo one; echo two | tee /dev/stderr; echo three', 'one\ntwo\ntwo\nthree\n'],
    [
      'a program that opens it',
      'echo one; awk \'BEGIN { print "two" > "/dev/stderr" }\'; echo three',
      'one\ntwo\nthree\n',
    ],
  ])('takes %s, in order and whole', async (_name, command, text) => {
    for (const pty of [false, true]) {
      const { id, end } = await run(host, command, { pty });
      expect({ end, text: await textOf(host, id) }).toEqual({ end: { kind: 'exited', code: 0 }, text });
    }
  });

  test('keeps the order of a hundred writes by both names', async () => {
    const { id } = await run(host, 'for i in $(seq 100); do echo $i > /dev/stderr; echo $i >&1; done');
    expect(await textOf(host, id)).toBe(Array.from({ length: 100 }, (_each, i) => `${i + 1}\n${i + 1}\n`).join(''));
  });

  test('keeps it to its owner', async () => {
    const { id } = await run(host, 'echo mine');
    const listing = execFileSync('stat', ['-c', '%a %u', join(host.home, 'processes', id, 'output')], {
      encoding: 'utf8',
    });
    expect(listing).toBe(`600 ${uid ?? 0}\n`);
  });
});

describe('the reader of the output', () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await startHost();
  });

  test('P3 P10 has taken everything when the end is stored, whoever still holds the output', async () => {
    for (let round = 0; round < 20; round++) {
      const { id, end } = await run(host, 'sleep 30 & head -c 300000 /dev/zero | tr "\\0" x; echo END');
      expect(end).toEqual({ kind: 'exited', code: 0 });
      const { text, damage } = await host.client.output(id, { offset: 299_990, limit: 100 });
      expect({ text, damage }).toEqual({ text: 'xxxxxxxxxxEND\n', damage: undefined });
      await host.client.kill(id, 'KILL').catch(() => undefined);
    }
  });

  test('P10 does not delay an end for a grandchild that writes without end, and takes what it writes later', async () => {
    const flood = `(while :; do echo ${'y'.repeat(2_000)}; done) & echo started $!; exit 4`;
    const { id, end } = await run(host, flood);
    expect(end).toEqual({ kind: 'exited', code: 4 });
    const { text } = await host.client.output(id, { limit: 100_000 });
    const pid = Number(/started (\d+)/.exec(text)?.[1]);
    process.kill(pid, 'SIGKILL');
    const slow = await run(host, '(while kill -0 $$; do sleep 0.01; done 2> /dev/null; echo later) & echo first');
    const path = join(host.home, 'processes', slow.id, 'output');
    await until('the grandchild has written', () => readFileSync(path, 'utf8') === 'first\nlater\n');
  });

  test('2 is replaced when it is killed: the command goes on, and nothing that it writes then is lost', async () => {
    const { id } = (await host.client.start({ command: 'echo one; while read -r line; do echo "$line"; done; exit 3' }))
      .process;
    for (const line of ['two', 'three', 'four']) {
      await until('it has written', async () => (await textOf(host, id)) !== '');
      const reader = await until('there is a reader', () => readerOf(host, id));
      process.kill(reader, 'SIGKILL');
      await until('there is another', () => {
        const next = readerOf(host, id);
        return next !== undefined && next !== reader;
      });
      await host.client.write(id, line, { submit: true });
      await until('it was taken', async () => (await textOf(host, id)).includes(line));
    }
    await host.client.closeInput(id);
    expect((await host.client.wait(id, 30_000)).process.end).toEqual({ kind: 'exited', code: 3 });
    expect(await textOf(host, id)).toBe('one\ntwo\nthree\nfour\n');
  });

  test('2 goes on when the shim is killed', async () => {
    const home = host.home;
    const flag = join(home, 'go-on');
    const { id } = (
      await host.client.start({ command: `echo one; while [ ! -e ${flag} ]; do sleep 0.02; done; seq 2 2000` })
    ).process;
    await until('it has written', async () => (await textOf(host, id)) === 'one\n');
    const [, shim = ''] = /^shim (\d+)/.exec(readFileSync(join(home, 'processes', id, 'pid'), 'latin1')) ?? [];
    process.kill(Number(shim), 'SIGKILL');
    execFileSync('touch', [flag]);
    expect((await host.client.wait(id, 60_000)).process.end).toMatchObject({ kind: 'lost' });
    expect((await textOf(host, id)).endsWith('\n1999\n2000\n')).toBe(true);
  });

  test('lets a command run on whose folder is deleted', async () => {
    const witness = join(host.home, 'witness');
    const { id } = (
      await host.client.start({ command: `read -r _; head -c 5000000 /dev/zero; echo done > ${witness}` })
    ).process;
    rmSync(join(host.home, 'processes', id), { recursive: true });
    await host.client.write(id, '', { submit: true });
    await until('it went on to its end', () => readFileSync(witness, { encoding: 'utf8', flag: 'a+' }) === 'done\n');
  });

  test('leaves nothing behind when the command has ended', async () => {
    const { id } = await run(host, 'echo one');
    await until('nobody works in its folder any more', () => workers(host, id).length === 0);
  });
});

/** Who has the folder of a process as its directory: the shim, and what it runs for itself. */
function workers(host: TestHost, id: string): number[] {
  const folder = join(host.home, 'processes', id);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && linkOf(`/proc/${name}/cwd`) === folder)
    .map(Number);
}

function readerOf(host: TestHost, id: string): number | undefined {
  const folder = join(host.home, 'processes', id);
  return workers(host, id).find(
    (pid) => linkOf(`/proc/${pid}/exe`)?.endsWith('/cat') && linkOf(`/proc/${pid}/fd/1`) === join(folder, 'output'),
  );
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
