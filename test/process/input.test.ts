import { beforeAll, describe, expect, test } from 'vitest';
import type { StartInput } from '../../src/contract/process.js';
import { startHost, type TestHost } from '../support/host.js';
import { until } from '../support/until.js';

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ config: { limits: { waitingInputs: 3 } } });
});

const start = async (command: string, more: Partial<StartInput> = {}) =>
  (await host.client.start({ command, ...more })).process.id;
const ended = async (id: string) => (await host.client.wait(id, 30_000)).process;
const textOf = async (id: string) => (await host.client.output(id)).text.replaceAll('\r', '');

describe.each([
  ['a pipe', false],
  ['a terminal', true],
])('the input of %s', (_, pty) => {
  test('P6 takes text as it is, adds a newline when submitted, and ends when closed', async () => {
    const id = await start('stty -echo 2> /dev/null; echo ready; cat > /dev/null; echo ended', { pty });
    await until('it is ready', async () => (await textOf(id)).includes('ready'));
    await host.client.write(id, 'half ');
    await host.client.write(id, 'line', { submit: true });
    await host.client.closeInput(id);
    expect((await ended(id)).end).toEqual({ kind: 'exited', code: 0 });
    expect(await textOf(id)).toContain('ended');
  });

  test('P6 ends with one call after a line that is not finished, and no later than that', async () => {
    const command = 'stty -echo 2> /dev/null; echo ready; cat; echo "|"; read -r line || echo over; echo "<$line>"';
    const id = await start(command, { pty });
    await until('it is ready', async () => (await textOf(id)).includes('ready'));
    await host.client.write(id, 'half a li');
    await host.client.write(id, 'ne');
    await host.client.closeInput(id);
    await until('the first reader is over', async () => (await textOf(id)).includes('half a line|'));
    // A terminal has one end of its input for each reader, a pipe has one for all.
    if (pty) await host.client.write(id, 'whole', { submit: true });
    await ended(id);
    expect(await textOf(id)).toBe(pty ? 'ready\nhalf a line|\n<whole>\n' : 'ready\nhalf a line|\nover\n<>\n');
  });

  test('P6 arrives in order and whole', async () => {
    const id = await start('stty -echo 2> /dev/null; echo ready; while read -r line; do echo "got $line"; done', {
      pty,
    });
    await until('it is ready', async () => (await textOf(id)).includes('ready'));
    for (let line = 1; line <= 20; line++) await host.client.write(id, `${line} ü€😀`, { submit: true });
    await host.client.closeInput(id);
    await ended(id);
    const got = (await textOf(id)).split('\n').filter((line) => line.startsWith('got'));
    expect(got).toEqual(Array.from({ length: 20 }, (_, index) => `got ${index + 1} ü€😀`));
  });

  test('P6 says so on a process that has ended', async () => {
    const id = await start('true', { pty });
    await ended(id);
    await expect(host.client.write(id, 'x')).rejects.toThrow('has already ended');
    await expect(host.client.closeInput(id)).rejects.toThrow('has already ended');
  });

  test('P22 shows a process that waits for input as such', async () => {
    const id = await start('echo "name?"; read -r name; sleep 60', { pty });
    await until('it is seen waiting', async () => (await host.client.process(id)).process.waitingForInput === true);
    await host.client.write(id, 'ann', { submit: true });
    await until(
      'it is seen working',
      async () => (await host.client.process(id)).process.waitingForInput === undefined,
    );
    await host.client.kill(id, 'KILL');
  });
});

describe('input', () => {
  test('is never at its end by accident', async () => {
    const id = await start('cat; echo over');
    await host.client.write(id, 'one', { submit: true });
    await until('it was read', async () => (await textOf(id)) === 'one\n');
    await host.kill();
    host = await host.again();
    await host.client.write(id, 'two', { submit: true });
    await until('it was read', async () => (await textOf(id)) === 'one\ntwo\n');
    await host.client.closeInput(id);
    expect((await ended(id)).end).toEqual({ kind: 'exited', code: 0 });
    expect(await textOf(id)).toBe('one\ntwo\nover\n');
  });

  test('P6 refuses a write after the input was closed', async () => {
    const id = await start('cat; sleep 60');
    await host.client.closeInput(id);
    await expect(host.client.write(id, 'late')).rejects.toThrow('The input of this process is closed');
    await host.client.kill(id, 'KILL');
  });

  test('P18 bounds what waits for a process that does not read, and says how much was taken', async () => {
    const id = await start('sleep 60');
    const writes = Array.from({ length: 4 }, () =>
      host.client.write(id, 'x'.repeat(100_000)).then(
        () => 'taken',
        (error: Error) => error.message,
      ),
    );
    const outcomes = await Promise.all(writes);
    expect(outcomes.filter((outcome) => outcome.includes('writes are already waiting'))).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.includes('of 100000 bytes were taken'))).toHaveLength(3);
    await host.client.kill(id, 'KILL');
  });

  test('takes a megabyte when the process reads', async () => {
    const id = await start('head -c 1000000 | sha1sum');
    await host.client.write(id, 'y'.repeat(1_000_000));
    await ended(id);
    expect(await textOf(id)).toMatch(/^[0-9a-f]{40} {2}-\n$/);
  });

  test('resizes a terminal, and refuses to resize a pipe', async () => {
    const id = await start('trap "stty size" WINCH; echo ready; while :; do sleep 0.05; done', { pty: true });
    await until('it is ready', async () => (await textOf(id)).includes('ready'));
    await host.client.resize(id, 40, 132);
    await until('it has the new size', async () => (await textOf(id)).includes('40 132'));
    await host.client.kill(id, 'KILL');
    const pipe = await start('sleep 60');
    await expect(host.client.resize(pipe, 40, 132)).rejects.toThrow('has no terminal');
    await expect(host.client.resize(pipe, 0, 132)).rejects.toThrow('rows');
    await host.client.kill(pipe, 'KILL');
  });
});
