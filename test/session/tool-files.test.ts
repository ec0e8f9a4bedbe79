import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readFileTool, writeFileTool } from '../../src/runtime/session/tools/files.js';
import { newFolder } from '../support/clean-up.js';
import { fakeTurn } from '../support/tool-stage.js';

let folder: string;
let workdir: string;
let rouseHome: string;

beforeEach(() => {
  folder = newFolder();
  workdir = join(folder, 'work');
  rouseHome = join(folder, 'home');
  mkdirSync(workdir);
  mkdirSync(rouseHome);
  writeFileSync(join(rouseHome, 'token'), 'rouse_secret\n');
});

const allowing = {
  policy: 'allow',
  approvals: { allowed: async () => [], allow: async () => undefined },
  homes: { home: '/home/nobody', rouseHome: '/home/nobody/.rouse' },
  redact: (text: string) => text,
} as const;
const read = (input: object) =>
  readFileTool({ workdir, home: folder, rouseHome, umask: 0o027 }).run(input, fakeTurn().context);
const write = (input: object) =>
  writeFileTool({ workdir, home: folder, rouseHome, umask: 0o027, approval: allowing }).run(input, fakeTurn().context);
const put = (name: string, content: string | Uint8Array) => writeFileSync(join(workdir, name), content);

describe('read_file', () => {
  test('shows a file as it is, between fences longer than its own', async () => {
    put('a.md', '# A\n\n```sh\n\tls\u001b[0m\n```\n');
    expect(await read({ path: 'a.md' })).toEqual({
      failed: false,
      result: 'a.md, lines 0 to 4 of 5:\n````\n# A\n\n```sh\n\tls\u001b[0m\n```\n````',
    });
    expect((await read({ path: join(workdir, 'a.md') })).result).toContain('# A');
  });

  test('shows it by lines and says how to read on', async () => {
    put('n', Array.from({ length: 5_000 }, (_, n) => `${n}\n`).join(''));
    expect((await read({ path: 'n' })).result).toMatch(/^n, lines 0 to 1999 of 5000; read on with offset 2000:/);
    const { result } = await read({ path: 'n', offset: 4_998, limit: 10 });
    expect(result).toBe('n, lines 4998 to 4999 of 5000:\n```\n4998\n4999\n```');
    expect((await read({ path: 'n', offset: 5_000 })).result).toBe('n has 5000 lines; there is none from 5000 on.');
  });

  test('cuts what is too much for one page, and says so', async () => {
    put('long', `${'x'.repeat(300_000)}\nlast\n`);
    const { result } = await read({ path: 'long' });
    expect(result).toContain('lines 0 to 0 of 2, cut: the line is too long to be shown whole; read on with offset 1:');
    expect(result.length).toBeLessThan(101_000);
    put('wide', `${'x'.repeat(60_000)}\n`.repeat(3));
    expect((await read({ path: 'wide' })).result).toContain('lines 0 to 0 of 3; read on with offset 1:');
  });

  test('says of an empty one that it is', async () => {
    put('none', '');
    expect(await read({ path: 'none' })).toEqual({ failed: false, result: 'none is empty.' });
  });

  test.each([
    ['a file that is not there', 'nowhere', 'there is no such file'],
    ['a folder', '.', 'it is a folder'],
    ['what is under a file', 'text/x', 'a part of the path is a file'],
    ['a binary', 'binary', 'it is not text but binary, 3 bytes'],
    ['a pipe, which would never end', 'pipe', 'it is no regular file'],
    ['a device', '/dev/zero', 'it is no regular file'],
    ['the environment of the host', '/proc/self/environ', 'it is no file on a disk'],
    ['more than 10 MiB', 'large', 'it is larger than 10 MiB'],
    ['a circle of links', 'circle', 'links go in a circle'],
  ])('refuses %s in a sentence', async (_, path, said) => {
    put('text', 'x');
    put('binary', Uint8Array.of(65, 0, 66));
    put('large', Buffer.alloc(10_485_761, 'x'));
    symlinkSync('circle', join(workdir, 'circle'));
    execFileSync('mkfifo', [join(workdir, 'pipe')]);
    const outcome = await read({ path });
    expect(outcome).toMatchObject({ failed: true });
    expect(outcome.result).toContain(said);
  });

  test.each(['itself', 'a symbolic link', 'a hard link'])('never shows the token of Rouse: %s', async (how) => {
    const token = join(rouseHome, 'token');
    symlinkSync(token, join(workdir, 'a symbolic link'));
    linkSync(token, join(workdir, 'a hard link'));
    const outcome = await read({ path: how === 'itself' ? token : how });
    expect(outcome).toMatchObject({ failed: true });
    expect(outcome.result).not.toContain('rouse_secret');
  });
});

describe('a file that a person gave to a session', () => {
  test('is read like any other, and not written', async () => {
    const path = join(rouseHome, 'files/ses_1/notes.txt');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'from a person\n');
    expect((await read({ path })).result).toContain('from a person');
    expect(await write({ path, content: 'x' })).toMatchObject({ failed: true });
    expect(readFileSync(path, 'utf8')).toBe('from a person\n');
  });
});

describe('write_file', () => {
  test('takes ~ for the home folder, and makes no folder of that name', async () => {
    expect(await write({ path: '~/notes/a.txt', content: 'a' })).toMatchObject({ failed: false });
    expect(readFileSync(join(folder, 'notes/a.txt'), 'utf8')).toBe('a');
    expect((await read({ path: '~/notes/a.txt' })).result).toContain('\na\n');
    expect(existsSync(join(workdir, '~'))).toBe(false);
    await write({ path: '~a', content: 'b' });
    expect(readFileSync(join(workdir, '~a'), 'utf8')).toBe('b');
  });

  test('writes what it is given, makes the folders, and gives both the person’s own permissions', async () => {
    const before = process.umask(0o077);
    try {
      expect(await write({ path: 'a/b/c.txt', content: 'é\n' })).toEqual({
        failed: false,
        result: 'a/b/c.txt was written: 3 bytes.',
      });
    } finally {
      process.umask(before);
    }
    expect(readFileSync(join(workdir, 'a/b/c.txt'), 'utf8')).toBe('é\n');
    expect(statSync(join(workdir, 'a/b/c.txt')).mode & 0o777).toBe(0o640);
    expect(['a', 'a/b'].map((name) => statSync(join(workdir, name)).mode & 0o777)).toEqual([0o750, 0o750]);
    expect(readdirSync(join(workdir, 'a/b'))).toEqual(['c.txt']);
  });

  test('keeps the permissions of what was there, and the link that leads to it', async () => {
    put('script', 'old');
    chmodSync(join(workdir, 'script'), 0o755);
    symlinkSync('script', join(workdir, 'link'));
    await write({ path: 'link', content: 'new' });
    expect(readFileSync(join(workdir, 'script'), 'utf8')).toBe('new');
    expect(statSync(join(workdir, 'script')).mode & 0o777).toBe(0o755);
  });

  test.each([
    ['its folder', '../home/config.json'],
    ['a folder in it', '../home/processes/x'],
    ['its token', '../home/token'],
    ['a link into it', 'shortcut/config.json'],
    ['a link to the token', 'shortcut/token'],
  ])('does not write into the home of Rouse: %s', async (_, path) => {
    symlinkSync(rouseHome, join(workdir, 'shortcut'));
    const outcome = await write({ path, content: 'x' });
    expect(outcome).toMatchObject({ failed: true });
    expect(outcome.result).toContain('in the home of Rouse');
    expect(readdirSync(rouseHome)).toEqual(['token']);
    expect(readFileSync(join(rouseHome, 'token'), 'utf8')).toBe('rouse_secret\n');
  });

  test('writes beside the home of Rouse, however alike the name is', async () => {
    expect(await write({ path: '../homework', content: 'x' })).toMatchObject({ failed: false });
    expect(existsSync(join(folder, 'homework'))).toBe(true);
  });

  test.each([
    ['a folder', '.', 'it is a folder'],
    ['a device', '/dev/null', 'it is no regular file'],
    ['what is under a file', 'text/x', 'a part of the path is a file'],
    ['a name with a NUL', 'a\0b', 'it holds a NUL'],
  ])('refuses %s in a sentence', async (_, path, said) => {
    put('text', 'kept');
    const outcome = await write({ path, content: 'x' });
    expect(outcome).toMatchObject({ failed: true });
    expect(outcome.result).toContain(said);
    expect(readFileSync(join(workdir, 'text'), 'utf8')).toBe('kept');
    expect(readdirSync(workdir)).toEqual(['text']);
  });

  test('refuses more than 10 MiB', async () => {
    const outcome = await write({ path: 'large', content: 'x'.repeat(10_485_761) });
    expect(outcome.result).toContain('content: it is longer than 10 MiB');
    expect(readdirSync(workdir)).toEqual([]);
  });
});
