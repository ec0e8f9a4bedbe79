import { beforeAll, describe, expect, test } from 'vitest';
import type { StartInput } from '../../src/contract/process.js';
import { newHome, startHost, type TestHost } from '../support/host.js';

/** What the shim and the launcher call their own things, what a shell keeps for itself, and what steers a loader. */
const NAMES =
  `command env id shell setsid script home cwd pty boot mask rows cols login_shell shim role folder what code told
  status words stat pid variable ticket request output reader main job where at from dropped tries path
  OPTIND OPTARG OPTERR LINENO IFS PS1 PS2 PS4 PPID PWD OLDPWD PATH_X CDPATH ENV BASH_ENV MAIL MAILPATH MAILCHECK
  HISTFILE HISTSIZE FUNCNAME GROUPS DIRSTACK RANDOM SECONDS HOSTNAME HOSTTYPE MACHTYPE OSTYPE UID EUID
  SHELL TERM HOME USER LOGNAME LANG LC_ALL LC_MESSAGES TZ TMPDIR POSIXLY_CORRECT IGNOREEOF FCEDIT COLUMNS LINES
  LD_PRELOAD LD_LIBRARY_PATH LD_DEBUG_OUTPUT GLIBC_TUNABLES MALLOC_ARENA_MAX GCONV_PATH NLSPATH
  A _A a1 __ x y z sh dash bash exec export set unset eval printf read trap wait exit ended refused terminal note ring
  environment special specials rouse Rouse ROUSE shift local return`
    .split(/\s+/)
    .filter(Boolean);

const VALUES = ['x', '', 'it\'s $HOME `id` \\ "quoted"', 'two\nlines\n', '12abc', ' a=b;c ', 'ü€😀', '-n'];

/** A shell complains about a locale that it does not know. */
const valueOf = (name: string) =>
  /^L(?:ANG|C_)/.test(name) ? 'C' : (VALUES[NAMES.indexOf(name) % VALUES.length] ?? '');

const wanted = (skip: Iterable<string>) => {
  const left = new Set(skip);
  return Object.fromEntries(NAMES.filter((name) => !left.has(name)).map((name) => [name, valueOf(name)]));
};

/** As the kernel handed it over to the shell that runs the command, which has not touched it. */
const BORN_WITH = `cat "/proc/$$/environ"; exit`;

const LOADER = [
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'LD_DEBUG_OUTPUT',
  'GLIBC_TUNABLES',
  'GCONV_PATH',
  'TMPDIR',
  'NLSPATH',
];
/** A login shell sets these itself or dies of them, Node itself does, or the host keeps them from commands. */
const UNFIT = new Set(
  'PS1 PS2 PS4 PWD OLDPWD PPID IFS OPTIND LINENO ENV MAIL MAILPATH LC_ALL LC_MESSAGES LANG TZ'.split(' '),
);

let host: TestHost;
beforeAll(async () => {
  const home = newHome();
  const mine = wanted([...LOADER, ...UNFIT]);
  host = await startHost({ home, env: { ...mine, SHELL: '/bin/sh', HOME: home, PATH: process.env['PATH'] } });
});

const environmentOf = async (more: Partial<StartInput>): Promise<Record<string, string>> => {
  const { process } = await host.client.start({ command: BORN_WITH, cwd: '/', ...more });
  const { end } = (await host.client.wait(process.id, 30_000)).process;
  expect(end).toEqual({ kind: 'exited', code: 0 });
  const { bytes } = await host.client.bytes(process.id, 0, 1_000_000);
  const text = Buffer.from(bytes).toString('utf8').replaceAll('\r\n', '\n');
  return Object.fromEntries(
    text
      .split('\0')
      .filter(Boolean)
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
};

describe.each([
  ['a pipe', false],
  ['a terminal', true],
])('P23 the environment of a command with %s', (_, pty) => {
  test('holds exactly what was asked for, under whatever names', async () => {
    const before = await environmentOf({ pty });
    const env = wanted(['LD_PRELOAD']);
    const found = await environmentOf({ pty, env });
    expect(found).toEqual({ ...before, ...env, ROUSE_PROCESS: found['ROUSE_PROCESS'] });
  });

  test('holds what the person exports, unchanged, and nothing of ours', async () => {
    const found = await environmentOf({ pty });
    const mine = wanted([...LOADER, ...UNFIT, 'SHELL', 'HOME']);
    expect(found).toMatchObject(mine);
    const unknown = Object.keys(found).filter((name) => !(name in process.env) && !NAMES.includes(name));
    expect(unknown.filter((name) => !['PWD', 'TERM', 'ROUSE_PROCESS'].includes(name))).toEqual([]);
  });

  test('steers the command alone', async () => {
    const env = {
      PATH: '/nowhere',
      LD_PRELOAD: '/no/such/library.so',
      BASH_ENV: '/no/such/file',
      ENV: '/no/such/file',
      SHELLOPTS: 'xtrace',
      PS4: '$(touch /tmp/rouse-should-not-be)',
      IFS: '/-e',
      OPTIND: 'none',
      LC_ALL: 'xx_XX',
    };
    const { process: started } = await host.client.start({
      command: 'echo "$IFS $OPTIND $PATH"; exit 7',
      pty,
      env,
      cwd: '/',
    });
    const { end } = (await host.client.wait(started.id, 30_000)).process;
    expect(end).toEqual({ kind: 'exited', code: 7 });
    const lines = (await host.client.output(started.id)).text.replaceAll('\r', '').trimEnd().split('\n');
    expect(lines.filter((line) => line.includes('/no/such/library.so'))).toHaveLength(1);
  });
});

test.each(['', '1A', 'A B', 'A-B', 'A=B', 'BASH_FUNC_x%%', 'ä', 'A\n', 'A\0', 'ROUSE_', 'ROUSE_PROCESS', 'ROUSE_HOME'])(
  'P23 refuses the name %j in a sentence',
  async (name) => {
    const refused = host.client.start({ command: 'true', env: { [name]: 'x' } });
    await expect(refused).rejects.toThrow(/env: names/);
  },
);
