/** What /proc says about processes. A pid counts as ours only with its start time and the boot it was seen in. */
import { closeSync, existsSync, openSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { Identity } from '../../domain/process/process.js';
import type { Signal } from '../../contract/process.js';
import { errno } from '../../errno.js';

export const thisBoot: string = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();

export type ProcStat = {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly terminal: number;
  readonly startTime: string;
  /** Where its environment lies, which changes with every program that it becomes; `0` where that is not ours to see. */
  readonly environmentAt: string;
  /** Used so far, by itself and by the children it has waited for. */
  readonly cpuTicks: number;
  readonly residentPages: number;
};

/** undefined for the dead, and for the zombie, which only waits to be forgotten. */
export function statOf(pid: number): ProcStat | undefined {
  const text = read(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  const [state = '', parent, group, session, terminal, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    terminal: Number(terminal),
    startTime: rest[14] ?? '',
    environmentAt: rest[42] ?? '0',
    cpuTicks: Number(rest[6]) + Number(rest[7]) + Number(rest[8]) + Number(rest[9]),
    residentPages: Number(rest[16]),
  };
}

/** The process with this identity, if it lives and is provably the same. */
export function alive(identity: Identity): ProcStat | undefined {
  if (identity.boot !== thisBoot) return undefined;
  const now = statOf(identity.pid);
  return now?.startTime === identity.startTime ? now : undefined;
}

/** The same, asked at every end, when it is mostly dead: to fail at opening its file would be ten times as dear. */
export const isThere = (identity: Identity): boolean =>
  existsSync(`/proc/${identity.pid}`) && alive(identity) !== undefined;

export const identityOf = (process: ProcStat): Identity => ({
  pid: process.pid,
  startTime: process.startTime,
  boot: thisBoot,
});

/** The oldest first. Start times are counted in hundredths of a second; within one, pids tell. */
export const byAge = (one: Pick<ProcStat, 'pid' | 'startTime'>, other: Pick<ProcStat, 'pid' | 'startTime'>): number =>
  Number(BigInt(one.startTime) - BigInt(other.startTime)) || one.pid - other.pid;

export const everyPid = async (): Promise<number[]> =>
  (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);

const MARK = 'ROUSE_PROCESS=';

/** The id of the process that this one belongs to, as the environment it was born with says. */
export const markOf = (pid: number): string | undefined =>
  read(`/proc/${pid}/environ`)
    ?.split('\0')
    .find((entry) => entry.startsWith(MARK))
    ?.slice(MARK.length);

/** The children, zombies included, as the kernel lists them; none where it does not. */
export const childrenOf = (pid: number): readonly number[] =>
  (read(`/proc/${pid}/task/${pid}/children`) ?? '').split(' ').filter(Boolean).map(Number);

export const descendantsOf = (pid: number): readonly number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);

export const commandLine = (pid: number): string => (read(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ').trim();

/** Sends a signal if the identity still holds; says `foreign` when we are not allowed to. */
export function send(identity: Identity, signal: Signal, toGroup: boolean): 'sent' | 'gone' | 'foreign' {
  const target = alive(identity);
  if (!target || (toGroup && target.group !== identity.pid)) return 'gone';
  try {
    process.kill(toGroup ? -identity.pid : identity.pid, signal);
    return 'sent';
  } catch (error) {
    if (errno(error) === 'EPERM') return 'foreign';
    if (errno(error) === 'ESRCH') return 'gone';
    throw error;
  }
}

/** Less than this is the end: the kernel fills a page before it makes a reader come again. */
const PAGE = 4_096;

/** Shared by all reads: files in /proc are small, are read often, and do not say how large they are. */
const room = Buffer.alloc(65_536);

export const read = (path: string): string | undefined => ifVisible(() => readWhole(path));

/** What a link in /proc points to. */
export const linkOf = (path: string): string | undefined => ifVisible(() => readlinkSync(path));

/** Undefined when the process is gone, or not ours to look at. */
function ifVisible(look: () => string): string | undefined {
  try {
    return look();
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(errno(error) ?? '')) return undefined;
    throw error;
  }
}

function readWhole(path: string): string {
  const file = openSync(path, 'r');
  try {
    let text = '';
    for (let length = PAGE; length >= PAGE;) {
      length = readSync(file, room);
      text += room.toString('latin1', 0, length);
    }
    return text;
  } finally {
    closeSync(file);
  }
}
