/** What `rouse doctor` checks besides the running host: the machine, the configuration, and the home. */
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
import { pause } from '../../ports/clock.js';
import { systemClock } from '../../clock/system.js';
import { configurationOf, homeOf } from '../configuration.js';
import { checkMcpServers, checkModel } from './agent.js';
import { fail, ok, reasonOf, tried, warn, type Finding } from './finding.js';
import { Home, HomeTaken } from '../home.js';
import { weakness } from '../../domain/people/sign-in.js';
import { SqliteStore } from '../../store/sqlite/store.js';

const MIB = 1_048_576;
const TOO_LITTLE_ROOM = 64 * MIB;
const LITTLE_ROOM = 1_024 * MIB;
const WATCH_MS = 2_000;
const LARGEST_FILE = 2 ** 50;

export async function diagnose(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const home = homeOf(env);
  return [
    // `rouse.ts` has refused an older one.
    ok('node', `${process.version} is new enough.`),
    ...tools(env),
    ...(await checkConfiguration(home, env)),
    ...(existsSync(home) ? await checkHome(home, env) : [ok('home', `${home} is created when the first host starts.`)]),
  ];
}

async function checkConfiguration(home: string, env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  try {
    const configuration = configurationOf(home, env);
    return [
      ok('configuration', 'Valid.'),
      ...(await tried('model', () => checkModel(env, configuration))),
      ...(await tried('mcp', () => checkMcpServers(configuration))),
    ];
  } catch (error) {
    return [fail('configuration', reasonOf(error))];
  }
}

/** `without` says what is missing without it; a tool that does not say is needed for every start. */
type Tool = { readonly name: string; readonly from: string; readonly without?: string };

const TOOLS: readonly Tool[] = [
  { name: 'setsid', from: 'util-linux' },
  { name: 'mkfifo', from: 'coreutils' },
  { name: 'script', from: 'util-linux or bsdutils', without: 'no process gets a terminal' },
  { name: 'stty', from: 'coreutils', without: 'no terminal can be resized' },
  { name: 'fallocate', from: 'util-linux', without: 'output beyond the quota is not released' },
];

function tools(env: NodeJS.ProcessEnv): readonly Finding[] {
  const path = `${env['PATH'] ?? ''}${delimiter}/usr/bin${delimiter}/bin`;
  const check = ({ name, from, without }: Tool): Finding => {
    const found = onPath(name, path);
    if (found) return ok(name, `${found}.`);
    return without
      ? warn(name, `Not found. Without it ${without}: install ${from}.`)
      : fail(name, `Not found. No process can start without it: install ${from}.`);
  };
  const bash = onPath('bash', path);
  const knowsSignals = spawnSync('env', ['--default-signal', 'true'], { env: { ...env, PATH: path } }).status === 0;
  return [
    bash ? ok('shell', `${bash}.`) : check({ name: 'sh', from: 'a POSIX shell' }),
    knowsSignals
      ? ok('env', 'Supports --default-signal.')
      : fail('env', 'Does not support --default-signal, which every start needs: install coreutils 8.31 or later.'),
    ...TOOLS.map(check),
  ];
}

async function checkHome(home: string, env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const access = await tried('home', () => permissions(home));
  if (access.some(({ verdict }) => verdict === 'fail')) return access;
  return [
    ...access,
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
    return fail('home', `${home} belongs to another user. Set ROUSE_HOME to a folder of your own.`);
  if (!allows(home, constants.W_OK)) return fail('home', `${home} cannot be written: chmod 700 ${home}`);
  return (mode & 0o077) === 0
    ? ok('home', `${home} is private.`)
    : warn('home', `Other users can read ${home} (mode ${(mode & 0o777).toString(8)}): chmod 700 ${home}`);
}

function room(home: string): Finding {
  const { bavail, bsize } = statfsSync(home);
  const free = bavail * bsize;
  const says = `${Math.floor(free / MIB)} MiB free on the disk of ${home}`;
  if (free < TOO_LITTLE_ROOM) return fail('room', `Only ${says}: free some space before you start anything.`);
  return free < LITTLE_ROOM ? warn('room', `Only ${says}.`) : ok('room', `${says}.`);
}

function token(home: string, env: NodeJS.ProcessEnv): Finding {
  const path = join(home, 'token');
  const given = env['ROUSE_TOKEN'];
  const token = given || (existsSync(path) ? readFileSync(path, 'utf8').trim() : '');
  if (token === '') return ok('token', 'Is created when the first host starts.');
  const trouble = weakness(token, given ? 'ROUSE_TOKEN' : path);
  if (trouble !== undefined) return fail('token', trouble);
  if (given) return ok('token', 'Comes from ROUSE_TOKEN.');
  return (statSync(path).mode & 0o077) === 0
    ? ok('token', `${path} is private.`)
    : fail('token', `Other users can read ${path}: delete it and restart the host, which creates a new one.`);
}

/** Opened only under the lock of the home: a running host has its store open and reports on it itself. */
async function store(home: string): Promise<Finding> {
  const path = join(home, 'rouse.db');
  if (!existsSync(path)) return ok('store', 'Is created when the first host starts.');
  try {
    const taken = await Home.take(home);
    try {
      const opened = await SqliteStore.open(path, systemClock);
      const damage = await opened.check();
      await opened.close();
      return damage.length === 0
        ? ok('store', `${path} is intact.`)
        : fail('store', `${path} is damaged (${damage.join('; ')}): restore a backup, or move it away to start over.`);
    } finally {
      taken.leave();
    }
  } catch (error) {
    return error instanceof HomeTaken ? ok('store', 'Open in a running host.') : fail('store', reasonOf(error));
  }
}

/** A command can damage its own folder. Only that process suffers, but a person may wonder why output is missing. */
function folders(home: string): Finding {
  const path = join(home, 'processes');
  const odd = (existsSync(path) ? readdirSync(path) : []).filter((name) => isOdd(join(path, name)));
  if (odd.length === 0) return ok('processes', 'Their folders are intact.');
  const some = odd.slice(0, 5).join(', ') + (odd.length > 5 ? ` and ${odd.length - 5} more` : '');
  return warn(
    'processes',
    `Changed by their own commands, so output may be missing: ${some}. Other processes are not affected.`,
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
        ? ok('holes', 'The disk frees released output.')
        : warn('holes', 'The disk does not free output beyond the quota: put the home on ext4, xfs, btrfs or tmpfs.'),
      (await watches(folder))
        ? ok('watch', 'File changes are reported at once.')
        : warn(
            'watch',
            'File changes are not reported, so ends and output are seen late: put the home on a local disk.',
          ),
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
    // ENOENT, EACCES.
    return false;
  }
}
