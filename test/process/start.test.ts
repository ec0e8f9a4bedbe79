import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { RouseProblem } from '../../src/client/client.js';
import type { StartInput } from '../../src/contract/process.js';
import { newFolder } from '../support/clean-up.js';
import { startHost, type TestHost } from '../support/host.js';

let host: TestHost;
const scratch = newFolder();

beforeAll(async () => {
  host = await startHost({
    config: { limits: { processes: 8, processesPerSession: 2 } },
    env: { ANTHROPIC_API_KEY: 'sk-ant-secret-of-the-host', ROUSE_TOKEN: undefined, MY_OWN: 'kept' },
  });
});

const run = async (command: string, more: Partial<StartInput> = {}) => {
  const { process } = await host.client.start({ command, ...more });
  return (await host.client.wait(process.id, 30_000)).process;
};

const outputOf = async (id: string) => (await host.client.output(id)).text;

const refusalOf = async (request: unknown): Promise<RouseProblem> => {
  const before = readdirSync(join(host.home, 'processes')).length;
  const outcome = await host.client.start(request as StartInput).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(RouseProblem);
  expect(readdirSync(join(host.home, 'processes'))).toHaveLength(before);
  return outcome as RouseProblem;
};

describe('starting a process', () => {
  test('P1 returns its id at once, with the record as it was asked for', async () => {
    const { session } = await host.client.createSession({ title: 'naps' });
    const { process, notes } = await host.client.start({
      command: 'sleep 30',
      session: session.id.slice(0, 12),
      name: 'nap',
      notifyOnComplete: true,
      cwd: scratch,
    });
    expect(process).toMatchObject({
      session: session.id,
      name: 'nap',
      command: 'sleep 30',
      cwd: scratch,
      place: 'local',
      state: 'running',
      notifyOnComplete: true,
    });
    expect(notes).toEqual([]);
    await host.client.kill(process.id, 'KILL');
  });

  test('P1 stores the record before the command starts', async () => {
    const look = `const{DatabaseSync}=require('@photostructure/sqlite');const r=new DatabaseSync(process.argv[1]).prepare('select name,state from processes where id=?').get(process.env.ROUSE_PROCESS);console.log(JSON.stringify(r))`;
    const { id } = await run(`${process.execPath} -e ${quoted(look)} ${quoted(join(host.home, 'rouse.db'))}`, {
      name: 'self',
      cwd: process.cwd(),
    });
    expect(JSON.parse(await outputOf(id))).toMatchObject({ name: 'self' });
  });

  test('P2 sees an exit in the first millisecond, with its code and its output', async () => {
    const codes = Array.from({ length: 40 }, (_, index) => index);
    for (const code of codes) {
      const { id, end } = await run(`echo ${code}; exit ${code}`);
      expect(end).toEqual({ kind: 'exited', code });
      expect(await outputOf(id)).toBe(`${code}\n`);
    }
  });

  test.each([129, 130, 137, 141, 143, 200, 255])('tells exit status %i from a signal', async (code) => {
    expect((await run(`exit ${code}`)).end).toEqual({ kind: 'exited', code });
    expect((await run(`exit ${code}`, { pty: true })).end).toEqual({ kind: 'exited', code });
  });

  test.each(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGSEGV', 'SIGPIPE', 'SIGUSR1'])(
    'tells that %s ended it',
    async (signal) => {
      expect((await run(`kill -${signal} $$`)).end).toEqual({ kind: 'signalled', signal });
    },
  );

  test.each(['SIGKILL', 'SIGTERM', 'SIGSEGV'])('tells that %s ended it in a terminal', async (signal) => {
    expect((await run(`kill -${signal} $$`, { pty: true })).end).toEqual({ kind: 'signalled', signal });
  });

  test('gives the command the signals, the mask and the directory that a person would have', async () => {
    const { id } = await run('grep SigIgn /proc/self/status; umask; pwd; echo $PWD', { cwd: scratch });
    expect((await outputOf(id)).split('\n')).toEqual([
      expect.stringMatching(/SigIgn:\s+0+$/),
      '0022',
      scratch,
      scratch,
      '',
    ]);
  });

  test('runs the command as it stands, whatever characters it holds', async () => {
    const text = `it's "quoted" \\ $HOME \`tick\` *? ü 😀 \t end`;
    const { id } = await run(`printf '%s' ${quoted(text)}`);
    expect(await outputOf(id)).toBe(text);
  });

  test('hands over the variables that were asked for, whatever they hold', async () => {
    const { id } = await run('printf "%s|%s|%s" "$A" "$PATH_X" "$IFS_X"', {
      env: { A: "it's\na line", PATH_X: '$(false)', IFS_X: '' },
    });
    expect(await outputOf(id)).toBe("it's\na line|$(false)|");
  });

  test('P23 keeps our secrets and the model keys from the command', async () => {
    const { id } = await run('env');
    const env = await outputOf(id);
    expect(env).toContain('MY_OWN=kept');
    expect(env).not.toMatch(/ANTHROPIC_API_KEY|ROUSE_TOKEN|ROUSE_HOME|sk-ant-secret/);
  });

  test('P23 keeps the files of a process to their owner', async () => {
    const { id } = await run('true');
    const folder = join(host.home, 'processes', id);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    for (const name of ['token', 'rouse.db', 'host.json'])
      expect(statSync(join(host.home, name)).mode & 0o777).toBe(0o600);
  });

  test('P20 leaves no secret of a command on the disk once it runs', async () => {
    const { id, command } = await run('echo --password=hunter2hunter2 > /dev/null', {
      env: { MY_SECRET: 'swordfish-in-the-environment' },
    });
    expect(command).toBe('echo --password=[redacted] > /dev/null');
    const found = spawnGrep(['-rl', '-e', 'hunter2hunter2', '-e', 'swordfish-in-the-environment', host.home]);
    expect(found).toBe('');
    expect(existsSync(join(host.home, 'processes', id, 'start'))).toBe(false);
  });
});

describe('what cannot be started', () => {
  test('P21 refuses a directory that does not exist, and leaves nothing behind', async () => {
    const problem = await refusalOf({ command: 'true', cwd: '/no/such/place' });
    expect(problem.word).toBe('no-such-directory');
    expect(problem.message).toBe(
      '/no/such/place: The directory does not exist or cannot be entered. Nothing was started.',
    );
  });

  test('P21 refuses a place that does not exist', async () => {
    expect((await refusalOf({ command: 'true', place: 'moon' })).message).toBe(
      'There is no place "moon". Known: local.',
    );
  });

  test('P21 tells a command that is not found as the shell tells it', async () => {
    const { id, end } = await run('no-such-command-at-all');
    expect(end).toEqual({ kind: 'exited', code: 127 });
    expect(await outputOf(id)).toContain('not found');
  });

  test.each([
    ['an empty command', { command: '  ' }, 'command: it is empty'],
    ['a NUL', { command: 'echo \0' }, 'command: it holds a NUL'],
    ['a command line of 1 MB', { command: `echo ${'x'.repeat(1_048_576)}` }, 'command: it is longer than 128 KiB'],
    [
      'a variable of 200 KB',
      { command: 'true', env: { A: 'x'.repeat(200_000) } },
      'env: one variable is larger than 128 KiB',
    ],
    ['a variable with a bad name', { command: 'true', env: { 'A B': 'x' } }, 'names are letters'],
    [
      'a variable that is ours',
      { command: 'true', env: { ROUSE_PROCESS: 'x' } },
      'env: names that begin with ROUSE_ are reserved for Rouse',
    ],
    ['a relative directory', { command: 'true', cwd: 'here' }, 'cwd: it must be an absolute path'],
    ['a time limit of zero', { command: 'true', timeoutMs: 0 }, 'timeoutMs: a time limit is at least 1 ms'],
    ['an unknown key', { command: 'true', colour: 'red' }, 'colour'],
    ['no command', {}, 'command'],
    ['something else', 'text', 'expected object'],
  ])('refuses %s in a sentence', async (_, request, sentence) => {
    const problem = await refusalOf(request);
    expect(problem.problem.status).toBe(400);
    expect(problem.message).toContain(sentence);
  });

  test('takes a command line of just under 128 KiB', async () => {
    const { id } = await run(`printf '${'x'.repeat(130_000)}'`);
    expect((await host.client.output(id, { limit: 200_000 })).text).toHaveLength(130_000);
  });

  test('makes one harmless line of a name with newlines and terminal codes', async () => {
    expect((await run('true', { name: 'a\nb\u001b[2Jc' })).name).toBe('a b [2Jc');
  });

  test('P18 refuses more than the limits allow, and takes it again when there is room', async () => {
    const session = (await host.client.createSession()).session.id;
    const start = () => host.client.start({ command: 'sleep 60', session });
    const first = await start();
    const second = await start();
    expect((await refusalOf({ command: 'true', session })).message).toContain(
      'has 2 processes running, which is the limit of a session',
    );
    await host.client.kill(first.process.id, 'KILL');
    const third = await start();
    const others = await Promise.all(Array.from({ length: 6 }, () => host.client.start({ command: 'sleep 60' })));
    const problem = await refusalOf({ command: 'true' });
    expect(problem.problem.status).toBe(429);
    expect(problem.message).toContain('8 processes are running, which is the limit of this host');
    await Promise.all([second, third, ...others].map(({ process }) => host.client.kill(process.id, 'KILL')));
  });
});

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const spawnGrep = (args: readonly string[]) => {
  try {
    return execFileSync('grep', args, { encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
};
