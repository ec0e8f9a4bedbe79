/** The checks of `rouse doctor` apart from the host itself: the machine, the home, and what is in it. */
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { pause } from '../ports/clock.js';
import { systemClock } from '../clock/system.js';
import { configurationOf, homeOf } from './configuration.js';
import { lookAtMcpServers, lookAtModel } from './doctor/agent.js';
import { fail, ok, reasonOf, tried, warn, type Finding } from './doctor/finding.js';
import { Home, HomeTaken } from './home.js';
import { weakness } from '../domain/people/token.js';
import { SqliteStore } from '../store/sqlite/store.js';

const MIB = 1_048_576;
const TOO_LITTLE_ROOM = 64 * MIB;
const LITTLE_ROOM = 1_024 * MIB;
const WATCH_MS = 2_000;
const LARGEST_FILE = 2 ** 50;

export async function diagnose(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const home = homeOf(env);
  return [
    // An older one has been refused before it came here.
    ok('node', `${process.version} is new enough.`),
    ...tools(env),
    ...(await lookAtConfiguration(home, env)),
    ...(existsSync(home) ? await lookAtHome(home, env) : [ok('home', `${home} is made when the first host starts.`)]),
  ];
}

/** What it names is asked only where it can be read at all. */
async function lookAtConfiguration(home: string, env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  try {
    const configuration = configurationOf(home, env);
    return [
      ok('configuration', 'Can be used.'),
      ...(await tried('model', () => lookAtModel(env, configuration))),
      ...(await tried('mcp', () => lookAtMcpServers(configuration))),
    ];
  } catch (error) {
    return [fail('configuration', reasonOf(error))];
  }
}

/** Without these no command starts; without those something is missing, and it is said what. */
function tools(env: NodeJS.ProcessEnv): readonly Finding[] {
  const path = `${env['PATH'] ?? ''}${delimiter}/usr/bin${delimiter}/bin`;
  const at = (name: string) => onPath(name, path);
  const needed = (name: string, of: string) => {
    const found = at(name);
    return found ? ok(name, `${found}.`) : fail(name, `Not found. No process can start without it: install ${of}.`);
  };
  const useful = (name: string, without: string, of: string) => {
    const found = at(name);
    return found ? ok(name, `${found}.`) : warn(name, `Not found. Without it ${without}: install ${of}.`);
  };
  const signals = spawnSync('env', ['--default-signal', 'true'], { env: { ...env, PATH: path } }).status === 0;
  return [
    at('bash') ? ok('shell', `${at('bash')}.`) : needed('sh', 'a POSIX shell'),
    needed('setsid', 'util-linux'),
    needed('mkfifo', 'coreutils'),
    signals
      ? ok('env', 'Knows --default-signal.')
      : fail('env', 'Does not know --default-signal, which every start needs: install coreutils 8.31 or later.'),
    useful('script', 'no process gets a terminal', 'util-linux or bsdutils'),
    useful('stty', 'no terminal can be resized', 'coreutils'),
    useful('fallocate', 'output beyond the quota is not released', 'util-linux'),
  ];
}

async function lookAtHome(home: string, env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const [access] = await tried('home', () => permissions(home));
  if (!access || access.verdict === 'fail') return access ? [access] : [];
  return [
    access,
    ...(await tried('room', () => room(home))),
    ...(await tried('token', () => token(home, env))),
    ...(await tried('store', () => store(home))),
    ...(await tried('folders', () => folders(home))),
    ...(await tried('disk', () => filesystem(home))),
  ];
}

function permissions(home: string): Finding {
  const { mode, uid } = statSync(home);
  if (process.getuid && uid !== process.getuid())
    return fail('home', `${home} belongs to another user. Use one of your own: set ROUSE_HOME.`);
  if (!allows(home, constants.W_OK)) return fail('home', `${home} cannot be written: chmod 700 ${home}`);
  return (mode & 0o077) === 0
    ? ok('home', `${home} is ours alone.`)
    : warn('home', `Others can look into ${home} (mode ${(mode & 0o777).toString(8)}): chmod 700 ${home}`);
}

function room(home: string): Finding {
  const { bavail, bsize } = statfsSync(home);
  const free = bavail * bsize;
  const says = `${Math.floor(free / MIB)} MiB free on the disk of ${home}`;
  if (free < TOO_LITTLE_ROOM) return fail('room', `Only ${says}: make room before anything else is started.`);
  return free < LITTLE_ROOM ? warn('room', `Only ${says}.`) : ok('room', `${says}.`);
}

function token(home: string, env: NodeJS.ProcessEnv): Finding {
  const path = join(home, 'token');
  const given = env['ROUSE_TOKEN'];
  const token = given || (existsSync(path) ? readFileSync(path, 'utf8').trim() : '');
  if (token === '') return ok('token', 'Is made when the first host starts.');
  const trouble = weakness(token, given ? 'ROUSE_TOKEN' : path);
  if (trouble !== undefined) return fail('token', trouble);
  if (given) return ok('token', 'Comes from ROUSE_TOKEN.');
  return (statSync(path).mode & 0o077) === 0
    ? ok('token', `${path} is ours alone.`)
    : fail('token', `Others can read ${path}: delete it and restart the host, which makes a new one.`);
}

/** Opened only under the lock of the home: a store that a host holds is that host's to judge. */
async function store(home: string): Promise<Finding> {
  const path = join(home, 'rouse.db');
  if (!existsSync(path)) return ok('store', 'Is made when the first host starts.');
  try {
    const taken = await Home.take(home);
    try {
      const opened = await SqliteStore.open(path, systemClock);
      const damage = await opened.check();
      await opened.close();
      return damage.length === 0
        ? ok('store', `${path} is whole.`)
        : fail('store', `${path} is damaged (${damage.join('; ')}): restore a backup, or move it away to start over.`);
    } finally {
      taken.leave();
    }
  } catch (error) {
    return error instanceof HomeTaken
      ? ok('store', 'Is held by a host, which has opened it.')
      : fail('store', reasonOf(error));
  }
}

/** Damage that commands did to their own folders. It affects only them, but a person may wonder. */
function folders(home: string): Finding {
  const path = join(home, 'processes');
  const odd = (existsSync(path) ? readdirSync(path) : []).filter((name) => isOdd(join(path, name)));
  if (odd.length === 0) return ok('processes', 'Their folders are as they should be.');
  const some = odd.slice(0, 5).join(', ') + (odd.length > 5 ? ` and ${odd.length - 5} more` : '');
  return warn(
    'processes',
    `Changed by their own commands, so that output may be missing: ${some}. Other processes are not concerned.`,
  );
}

function isOdd(folder: string): boolean {
  const mine = lstatSync(folder, { throwIfNoEntry: false });
  if (!mine?.isDirectory() || (mine.mode & 0o700) !== 0o700) return true;
  return ['output', 'exit', 'pid'].some((name) => {
    const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
    return found && (!found.isFile() || (found.mode & 0o400) === 0 || found.size > LARGEST_FILE);
  });
}

async function filesystem(home: string): Promise<readonly Finding[]> {
  const folder = mkdtempSync(join(home, 'doctor-'));
  try {
    return [
      punches(join(folder, 'holes'))
        ? ok('holes', 'The disk gives back what is released of an output.')
        : warn(
            'holes',
            'The disk gives nothing back of an output beyond its quota: put the home on ext4, xfs, btrfs or tmpfs.',
          ),
      (await watches(folder))
        ? ok('watch', 'File changes are reported at once.')
        : warn('watch', 'File changes are not reported: ends and output are seen late. Put the home on a local disk.'),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function punches(path: string): boolean {
  writeFileSync(path, Buffer.alloc(MIB, 1));
  const { status } = spawnSync('fallocate', ['--punch-hole', '--offset', '0', '--length', String(MIB / 2), path]);
  return status === 0 && statSync(path).blocks * 512 < MIB;
}

async function watches(folder: string): Promise<boolean> {
  const seen = new AbortController();
  const watcher = watch(folder, () => seen.abort());
  watcher.on('error', () => undefined);
  writeFileSync(join(folder, 'seen'), '');
  await pause(systemClock, WATCH_MS, seen.signal);
  watcher.close();
  return seen.signal.aborted;
}

const onPath = (name: string, path: string): string | undefined =>
  path
    .split(delimiter)
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
    .find((candidate) => allows(candidate, constants.X_OK));

function allows(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    // ENOENT, EACCES: then not.
    return false;
  }
}
