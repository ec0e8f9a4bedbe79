import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OutputEvent } from '../../src/client/client.js';
import type { StartInput } from '../../src/contract/process.js';
import { startHost, type TestHost } from '../support/host.js';
import { until } from '../support/until.js';

const QUOTA = 1_048_576;
let host: TestHost;

beforeAll(async () => {
  host = await startHost({ config: { output: { quotaBytes: QUOTA } } });
});

const start = async (command: string, more: Partial<StartInput> = {}) =>
  (await host.client.start({ command, ...more })).process.id;
const run = async (command: string, more: Partial<StartInput> = {}) => {
  const id = await start(command, more);
  return (await host.client.wait(id, 60_000)).process;
};
const outputPath = (id: string) => join(host.home, 'processes', id, 'output');

async function followed(id: string, offset = 0): Promise<OutputEvent[]> {
  const seen: OutputEvent[] = [];
  for await (const event of host.client.follow(id, { offset })) seen.push(event);
  return seen;
}

const textOf = (events: readonly OutputEvent[]) =>
  events.map((event) => (event.kind === 'output' ? event.page.text : '')).join('');

describe('output', () => {
  test('P3 comes while the process runs, in order and complete', async () => {
    const id = await start('for i in 1 2 3; do echo $i; read -r _; done');
    const events: OutputEvent[] = [];
    for await (const event of host.client.follow(id)) {
      events.push(event);
      if (event.kind === 'output') await host.client.write(id, 'go', { submit: true });
    }
    expect(events.map((event) => (event.kind === 'output' ? event.page.text : event.kind))).toEqual([
      '1\n',
      '2\n',
      '3\n',
      'end',
    ]);
  });

  test('P3 ends the stream with how the process ended', async () => {
    const id = await start('echo done; exit 4');
    expect((await followed(id)).at(-1)).toMatchObject({ kind: 'end', process: { end: { kind: 'exited', code: 4 } } });
  });

  test('P3 resumes a stream from any offset with no gap and nothing twice', async () => {
    const { id } = await run('seq 1 2000');
    const whole = textOf(await followed(id));
    expect(whole).toBe(readFileSync(outputPath(id), 'utf8'));
    expect(textOf(await followed(id, 1_000))).toBe(whole.slice(1_000));
  });

  test('P4 brings out whole a character that was written in pieces, and gives the raw bytes exactly', async () => {
    const id = await start(String.raw`printf '\xf0\x9f'; read -r _; printf '\x98\x80\xff!'`);
    await until('the first half is there', async () => (await host.client.process(id)).process.outputBytes === 2);
    expect(await host.client.output(id)).toMatchObject({ text: expect.any(String), size: 2 });
    await host.client.write(id, '', { submit: true });
    await host.client.wait(id, 10_000);
    expect(textOf(await followed(id))).toBe('😀\uFFFD!');
    expect(Buffer.from((await host.client.bytes(id, 0, 100)).bytes).toString('hex')).toBe('f09f9880ff21');
  });

  test('P4 streams a character whole although a pause came in the middle of it', async () => {
    const id = await start(String.raw`printf 'ab\xe2\x82'; read -r _; printf '\xacz'`);
    const seen: string[] = [];
    for await (const event of host.client.follow(id)) {
      if (event.kind === 'output') seen.push(event.page.text);
      if (seen.length === 1) await host.client.write(id, '', { submit: true }).catch(() => undefined);
    }
    expect(seen).toEqual(['ab', '€z']);
  });

  test('P4 never cuts a character at the edge of a page', async () => {
    const { id } = await run(`printf 'aé€😀b'`);
    let text = '';
    for (let offset = 0; ;) {
      const page = await host.client.output(id, { offset, limit: 4 });
      text += page.text;
      if (page.to === page.size) break;
      expect(page.to).toBeGreaterThan(offset);
      offset = page.to;
    }
    expect(text).toBe('aé€😀b');
  });

  test('P5 pages by line from either end, with the total', async () => {
    const { id } = await run('seq 1 100; printf last');
    expect(await host.client.output(id, { line: 10, lines: 2 })).toMatchObject({
      text: '11\n12\n',
      line: 10,
      totalLines: 101,
    });
    expect(await host.client.output(id, { line: -2, lines: 2 })).toMatchObject({
      text: '100\nlast',
      line: 99,
      totalLines: 101,
    });
    expect(await host.client.output(id, { line: 5_000 })).toMatchObject({ text: '', totalLines: 101 });
    expect((await host.client.process(id, { tail: 1 })).tail?.text).toBe('last');
  });

  test('P5 answers an offset beyond the end with nothing, and refuses one below zero', async () => {
    const { id } = await run('echo hello');
    expect(await host.client.output(id, { offset: 10_000 })).toMatchObject({
      text: '',
      from: 6,
      to: 6,
      size: 6,
      released: 0,
    });
    await expect(host.client.output(id, { offset: -1 })).rejects.toThrow('an offset counts from 0');
    await expect(host.client.output(id, { offset: 1, line: 1 })).rejects.toThrow(
      'by bytes (offset, limit) or by lines',
    );
  });

  test('P17 keeps head and tail over the quota, tells how many bytes are gone, and keeps offsets true', async () => {
    const { id, releasedBytes, outputBytes } = await run(`seq -f 'line %09.0f' 1 1000000`);
    const written = execFileSync('seq', ['-f', 'line %09.0f', '1', '1000000'], { maxBuffer: 1e8 });
    expect(outputBytes).toBe(written.length);
    expect(releasedBytes).toBeGreaterThan(0);
    const head = await host.client.bytes(id, 0, QUOTA / 4);
    expect(Buffer.from(head.bytes).equals(written.subarray(0, QUOTA / 4))).toBe(true);
    const tail = await host.client.bytes(id, written.length - QUOTA / 4, QUOTA);
    expect(Buffer.from(tail.bytes).equals(written.subarray(written.length - QUOTA / 4))).toBe(true);
    const page = await host.client.output(id, { offset: QUOTA / 4 + 100, limit: 15 });
    expect(page.released).toBe(releasedBytes - 100);
    expect(page.to - page.from - page.released).toBe(15);
    expect(page.text).toBe(written.toString('latin1', page.to - 15, page.to));
    const all = await followed(id);
    const told = all.reduce((sum, event) => sum + (event.kind === 'output' ? event.page.released : 0), 0);
    expect(told).toBe(releasedBytes);
    expect(textOf(all)).toHaveLength(written.length - releasedBytes);
    expect((await host.client.output(id, { line: -1, lines: 1 })).text).toBe('line 001000000\n');
  });

  test('P17 gives the disk its room back and never blocks the process', async () => {
    const { id, outputBytes, releasedBytes } = await run('head -c 200000000 /dev/zero');
    expect(outputBytes).toBe(200_000_000);
    const blocks = () =>
      Number(execFileSync('du', ['--block-size=1', outputPath(id)], { encoding: 'utf8' }).split('\t')[0]);
    await until('the disk has its room back', () => blocks() <= outputBytes - releasedBytes + 65_536);
  });

  test('P17 releases what was written too fast to be looked at, once the process has ended', async () => {
    const other = await startHost({ config: { output: { quotaBytes: 65_536 } } });
    const { id } = (await other.client.start({ command: 'head -c 30000000 /dev/zero' })).process;
    const { process: ended } = await other.client.wait(id, 30_000);
    const kept = ended.outputBytes - ended.releasedBytes;
    expect(kept).toBeLessThanOrEqual(65_536);
    const path = join(other.home, 'processes', id, 'output');
    const blocks = () => Number(execFileSync('du', ['--block-size=1', path], { encoding: 'utf8' }).split('\t')[0]);
    await until('the disk has its room back', () => blocks() <= kept + 8_192);
  });

  test('P20 redacts secrets in what is shown, and not in the file', async () => {
    const { id } = await run('echo "export API_KEY=abcdefgh12345678"');
    expect((await host.client.output(id)).text).toBe('export API_KEY=[redacted]\n');
    expect(readFileSync(outputPath(id), 'utf8')).toContain('abcdefgh12345678');
  });

  test('P20 finds a secret that the edge of a page would cut', async () => {
    const { id } = await run('echo "export API_KEY=abcdefgh12345678"');
    expect((await host.client.output(id, { limit: 20 })).text).not.toContain('abcde');
    expect((await host.client.output(id, { offset: 20 })).text).not.toContain('12345678');
  });

  test('strips terminal codes when asked to', async () => {
    const { id } = await run(String.raw`printf '\033[31mred\033[0m\r\n'`);
    expect((await host.client.output(id, { plain: true })).text).toBe('red\n');
    expect((await host.client.output(id)).text).toContain('\u001b[31m');
  });

  test('takes a line of 50 MB, NULs and bare carriage returns as they are', async () => {
    const { id } = await run(String.raw`printf 'a\0b\rc\r\n'`);
    expect(Buffer.from((await host.client.bytes(id, 0, 100)).bytes).toString('latin1')).toBe('a\0b\rc\r\n');
    const long = await run('head -c 50000000 /dev/zero | tr "\\0" x');
    expect(long).toMatchObject({ outputBytes: 50_000_000, end: { kind: 'exited', code: 0 } });
  });

  test('P10 goes on without a command that closed its output and lives on', async () => {
    const id = await start('echo before; exec > /dev/null 2>&1; read -r _; exit 5');
    await until('the line is there', async () => (await host.client.output(id)).text === 'before\n');
    expect((await host.client.process(id)).process.state).toBe('running');
    await host.client.write(id, '', { submit: true });
    expect((await host.client.wait(id, 10_000)).process.end).toEqual({ kind: 'exited', code: 5 });
  });

  test('5 gives every tail whole, from pipe and terminal', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await run('head -c 20000 /dev/zero | tr "\\0" y; echo END', { pty: round % 2 === 1 });
      const text = (await host.client.output(id)).text;
      expect(text.replaceAll('\r', '')).toBe(`${'y'.repeat(20_000)}END\n`);
    }
  });
});

/** After a restart everything is looked at, as it is every few seconds. */
const restarted = async () => {
  await host.kill();
  host = await host.again();
};

describe('a command that tampers with its output', () => {
  const target = () => join(host.home, 'not-for-reading');

  test('9 reads nothing through a link that was put in its place', async () => {
    writeFileSync(target(), 'secret of the host');
    const id = await start('echo mine; read -r _');
    await until('it has written', async () => (await host.client.process(id)).process.outputBytes === 5);
    unlinkSync(outputPath(id));
    symlinkSync(target(), outputPath(id));
    await expect(host.client.output(id)).rejects.toThrow('replaced by something that is not a file');
    await host.client.write(id, '', { submit: true });
    expect((await host.client.wait(id, 10_000)).process.end).toEqual({ kind: 'exited', code: 0 });
  });

  test('9 says so when it truncates its output', async () => {
    const id = await start('echo 0123456789; read -r _; echo after; read -r _');
    await until('it has written', async () => (await host.client.process(id)).process.outputBytes === 11);
    await until('we have seen it', () => host.log() !== '');
    writeFileSync(outputPath(id), '');
    await host.client.write(id, '', { submit: true });
    await until('it is told', async () => (await host.client.output(id)).damage?.includes('truncated'));
    await host.client.write(id, '', { submit: true });
    expect((await host.client.wait(id, 10_000)).process.end).toEqual({ kind: 'exited', code: 0 });
  });

  test('9 keeps hold of a process whose whole folder is deleted under it', async () => {
    const id = await start('echo mine; sleep 300');
    execFileSync('rm', ['-r', join(host.home, 'processes', id)]);
    await restarted();
    expect((await host.client.process(id)).process.state).toBe('running');
    const { process: ended, survivors } = await host.client.kill(id, 'KILL');
    expect(survivors).toEqual([]);
    const { end } = ended.state === 'ended' ? ended : (await host.client.wait(id, 30_000)).process;
    expect(end).toMatchObject({ kind: 'lost', why: expect.stringContaining('folder is gone') });
  });

  test.each(['pid', 'exit'])('9 comes to an end although it spoils its file %s', async (name) => {
    const folder = join(host.home, 'processes');
    const spoil = name === 'pid' ? 'rm pid' : 'until rm -f exit && mkdir exit; do :; done';
    // The plan is gone once the command was seen to run.
    const seen = 'while [ -e start ]; do sleep 0.01; done';
    const id = await start(`cd "${folder}/$ROUSE_PROCESS" && ${seen}; ${spoil}; read -r _; exit 3`);
    await host.client.write(id, '', { submit: true });
    expect((await host.client.wait(id, 60_000)).process.end).toEqual({ kind: 'exited', code: 3 });
  });

  test('9 releases nothing through a link that was put in its place', async () => {
    const victim = join(host.home, 'victim');
    writeFileSync(victim, Buffer.alloc(8 * QUOTA, 'v'), { mode: 0o644 });
    const id = await start(`head -c ${4 * QUOTA} /dev/zero; ln -sf '${victim}' "$(readlink /proc/self/fd/1)"`);
    await host.client.wait(id, 30_000);
    const again = await start('true');
    await host.client.wait(again, 30_000);
    expect(readFileSync(victim).every((byte) => byte === 'v'.charCodeAt(0))).toBe(true);
    expect(statSync(victim).mode & 0o777).toBe(0o644);
  });
});

test('the checksum of a large output is that of what was written', async () => {
  const id = await start('seq 1 50000 | tee /proc/self/fd/1');
  const hash = createHash('sha256');
  for await (const piece of host.client.followBytes(id)) if (piece.kind === 'bytes') hash.update(piece.bytes);
  expect(hash.digest('hex')).toBe(
    createHash('sha256')
      .update(readFileSync(outputPath(id)))
      .digest('hex'),
  );
});
