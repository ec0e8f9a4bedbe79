import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandLine } from '../../src/cli/process/run.js';
import { newFolder } from '../support/clean-up.js';
import { newHome, noteOf, startHost } from '../support/host.js';
import { begin, beginAtTerminal, rouse, started } from './rouse.js';

describe('the command', () => {
  test('is a command line when it is one word', () => {
    expect(commandLine(['echo $HOME | wc -c'])).toBe('echo $HOME | wc -c');
  });

  test('is quoted word by word when it is several', () => {
    expect(commandLine(['echo', 'a b', "it's", '$HOME', '-x=1', ''])).toBe(`echo 'a b' 'it'\\''s' '$HOME' -x=1 ''`);
  });
});

describe('with no host', () => {
  test('starts one that stays, and one that logs for its owner alone', async () => {
    const home = newHome();
    const id = await started(home, '--', 'sleep 60');
    expect(id).toMatch(/^proc_[0-9a-z]+$/);
    expect(statSync(join(home, 'host.log')).mode & 0o777).toBe(0o600);
    expect((await rouse(home, ['ps'])).stdout).toContain('sleep 60');
  });

  test('starts one for all who ask at once', async () => {
    const home = newHome();
    const ids = await Promise.all([1, 2, 3, 4].map((number) => started(home, '--', `echo ${number}`)));
    expect(new Set(ids).size).toBe(4);
    const { processes } = JSON.parse((await rouse(home, ['ps', '-a', '--json'])).stdout) as {
      processes: { id: string }[];
    };
    expect(processes.map(({ id }) => id).sort()).toEqual([...ids].sort());
  });

  test('is not deceived by what a killed host left behind', async () => {
    const host = await startHost();
    await host.kill();
    expect(noteOf(host.home)?.pid).toBe(host.pid);
    await started(host.home, '--', 'true');
    expect(noteOf(host.home)?.pid).not.toBe(host.pid);
  });

  test('tells the last words of one that cannot start', async () => {
    const home = newHome({ nonsense: true });
    const { status, stderr } = await rouse(home, ['run', '--', 'true']);
    expect(status).toBe(1);
    expect(stderr).toContain('Could not start a host');
    expect(stderr).toContain('nonsense');
    expect(stderr).not.toContain('    at ');
  });
});

describe('a process', () => {
  test('begins where the caller is, with the variables it was given', async () => {
    const { home } = await startHost();
    const folder = newFolder();
    const { stdout } = await rouse(
      home,
      ['run', '--wait', '--env', 'A=1', '--env', 'B=x=y z', '--', 'echo $A,$B,$PWD'],
      { cwd: folder },
    );
    expect(stdout).toBe(`1,x=y z,${folder}\n`);
  });

  test('gives its bytes and its status to whoever waits', async () => {
    const { home } = await startHost();
    expect(await rouse(home, ['run', '--wait', '--', "printf 'a\\377b'; echo c >&2; exit 7"])).toMatchObject({
      status: 7,
      stdout: 'a\ufffdbc\n',
    });
    expect((await rouse(home, ['run', '--wait', '--', 'kill -9 $$'])).status).toBe(137);
    expect((await rouse(home, ['run', '--wait', '--timeout', '200ms', '--', 'sleep 60'])).status).toBe(143);
  });

  test('is waited for over a host that dies', async () => {
    const host = await startHost();
    const folder = newFolder();
    const waiting = begin(host.home, [
      'run',
      '--wait',
      '--',
      `echo one; while [ ! -e ${folder}/go ]; do sleep 0.05; done; echo two; exit 5`,
    ]);
    await waiting.printed('one');
    await host.kill();
    await waiting.printed('Waiting for the host to come back …');
    await startHost({ home: host.home });
    await rouse(host.home, ['run', '--', `touch ${folder}/go`]);
    expect(await waiting.outcome()).toMatchObject({
      status: 5,
      stdout: 'one\ntwo\n',
      stderr: 'Waiting for the host to come back …\n',
    });
  });

  test('goes on when Ctrl-C lets go of it', async () => {
    const { home, client } = await startHost();
    const waiting = begin(home, ['run', '--wait', '--', 'echo up; sleep 60']);
    await waiting.printed('up');
    waiting.child.kill('SIGINT');
    const { status, stderr } = await waiting.outcome();
    expect(status).toBe(130);
    expect(stderr).toMatch(/keeps running.*rouse kill proc_/);
    expect((await client.list())[0]?.state).toBe('running');
  });

  test('is told with the next steps at a terminal', async () => {
    const { home } = await startHost();
    const { stdout } = await beginAtTerminal(home, ['run', '--', 'true']).outcome();
    expect(stdout).toContain('rouse logs -f proc_');
    expect(stdout).toContain('rouse wait proc_');
  });

  test('is told as the host tells it with --json', async () => {
    const { home } = await startHost();
    const { stdout } = await rouse(home, ['run', '--json', '--name', 'x', '--', 'true']);
    expect(JSON.parse(stdout)).toMatchObject({ process: { name: 'x', command: 'true' } });
  });
});

test('a refusal is one sentence', async () => {
  const { home } = await startHost();
  expect(await rouse(home, ['run', '--cwd', '/nowhere', '--', 'true'])).toEqual({
    status: 1,
    stdout: '',
    stderr: '/nowhere: The directory does not exist or cannot be entered. Nothing was started.\n',
  });
  expect(readFileSync(join(home, 'token'), 'utf8')).toBeTruthy();
});
