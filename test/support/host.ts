/** A real host in a home of its own, as a separate program that can be killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RouseClient } from '../../src/client/client.js';
import type { HostNote } from '../../src/host-note.js';
import { forFile, newFolder, onCleanUp } from './clean-up.js';
import { endProcessesWith } from './processes.js';
import { until } from './until.js';

const program = fileURLToPath(new URL('host-program.mjs', import.meta.url));

export type HostOptions = {
  readonly home?: string;
  readonly config?: object;
  readonly env?: NodeJS.ProcessEnv;
  /** How many it may have open. */
  readonly descriptors?: number;
  /** Dies at the nth fault point of its boot and of what comes then; `later`: when it is told to (see host-program.mjs). */
  readonly fault?: number | 'later';
  /** Runs as this user, who is given the home. */
  readonly uid?: number;
};

/** An ordinary user, whom permissions bind. */
export const NOBODY = 65_534;

export class TestHost {
  readonly client: RouseClient;
  readonly token: string;

  constructor(
    readonly home: string,
    readonly child: ChildProcess,
    readonly url: string,
    readonly log: () => string,
  ) {
    this.token = readFileSync(join(home, 'token'), 'utf8').trim();
    this.client = new RouseClient(url, this.token);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get gone(): boolean {
    return isGone(this.child);
  }

  /** SIGKILL, and over when the program is gone. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const gone = exited(this.child);
    this.child.kill(signal);
    await gone;
  }

  /** A graceful stop. */
  stop(): Promise<void> {
    return this.kill('SIGTERM');
  }

  /** Of those that come now, the nth fault point is its last. For a host that was started with `fault`. */
  dieAt(fault: number): void {
    // Whole or not at all: the host may look at any moment.
    const whole = `${faultsOf(this.home)}.new`;
    writeFileSync(whole, String(fault));
    renameSync(whole, faultsOf(this.home));
  }

  again(options: HostOptions = {}): Promise<TestHost> {
    return startHost({ ...options, home: this.home });
  }
}

export const isGone = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

export const exited = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (isGone(child)) resolve();
    else child.once('exit', () => resolve());
  });

const faultsOf = (home: string) => join(home, 'fault');

const homes = new Set<string>();

export const newHome = (config?: object): string => {
  const home = newFolder();
  endWithTest(home);
  if (config) writeFileSync(join(home, 'config.json'), JSON.stringify(config));
  return home;
};

/** Whatever runs for this home is ended after the test: hosts, command lines, and the processes that they started. */
export function endWithTest(home: string): void {
  if (homes.has(home)) return;
  homes.add(home);
  onCleanUp(async () => {
    homes.delete(home);
    await endProcessesWith('ROUSE_HOME', home);
    await endCommandsOf(home);
  });
}

/** Starts the program and does not wait for it to serve: it may be meant to die before. */
export function spawnHost(options: HostOptions & { readonly home: string }): {
  child: ChildProcess;
  log: () => string;
} {
  endWithTest(options.home);
  for (const old of [join(options.home, 'host.json'), faultsOf(options.home)]) rmSync(old, { force: true });
  if (typeof options.fault === 'number') writeFileSync(faultsOf(options.home), String(options.fault));
  if (options.uid !== undefined) chownSync(options.home, options.uid, options.uid);
  const limit = options.descriptors === undefined ? '' : `ulimit -n ${options.descriptors}; `;
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$@"`, 'sh', process.execPath, program], {
    env: {
      ...process.env,
      ROUSE_HOME: options.home,
      ROUSE_PORT: '0',
      SHELL: '/bin/sh',
      ...options.env,
      ...(options.fault && { FAULTS: faultsOf(options.home) }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid, cwd: options.home }),
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  return { child, log: () => log };
}

export async function startHost(options: HostOptions = {}): Promise<TestHost> {
  const home = options.home ?? newHome();
  if (options.config) writeFileSync(join(home, 'config.json'), JSON.stringify(options.config));
  const { child, log } = spawnHost({ ...options, home });
  const url = await until('the host serves', () => {
    if (isGone(child)) throw new Error(`The host ended before it served:\n${log()}`);
    return noteOf(home)?.url;
  });
  return new TestHost(home, child, url, log);
}

const shared = new Map<string, TestHost>();

/** A host that all tests of a file with this configuration use. A test that ends it leaves the others a new one. */
export async function sharedHost(config: object = {}): Promise<TestHost> {
  const name = JSON.stringify(config);
  const running = shared.get(name);
  if (running && !running.gone) return running;
  return forFile(async () => {
    const host = await startHost({ config });
    shared.set(name, host);
    onCleanUp(() => shared.delete(name));
    return host;
  });
}

export function noteOf(home: string): HostNote | undefined {
  const path = join(home, 'host.json');
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as HostNote;
  } catch {
    // A test has spoilt it.
    return undefined;
  }
}

async function endCommandsOf(home: string): Promise<void> {
  const { readdirSync } = await import('node:fs');
  const { alive, send } = await import('../../src/place/local/proc.js');
  const { discover } = await import('../../src/place/local/sighting.js');
  const { parsePidFile } = await import('../../src/place/local/folder.js');
  const { membersOf } = await import('../../src/place/local/tree.js');
  const { takeCensus } = await import('../../src/place/local/census.js');
  const { ProcessId } = await import('../../src/contract/ids.js');
  const folder = join(home, 'processes');
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const id = ProcessId.safeParse(name).data;
    if (!id) continue;
    const path = join(folder, name, 'pid');
    // A hostile command may have made anything of it.
    const noted = parsePidFile(isFile(path) ? readFileSync(path, 'latin1') : '');
    const found = noted.shim && noted.command ? noted : await discover(id, join(folder, name), undefined);
    const command = found.command ?? ('marked' in found ? found.marked : undefined);
    const { shim = command } = found;
    if (!command || !shim || (!alive(shim) && !alive(command))) continue;
    for (const { identity } of await membersOf(await takeCensus(), id, { shim, command }))
      send(identity, 'SIGKILL', false);
    send(shim, 'SIGKILL', false);
  }
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    // ENOENT, ENOTDIR, EACCES.
    return false;
  }
}
