/**
 * Who works for a process that was not seen to run yet.
 *
 * What stands in `pid` was written by the shim, but a command may have changed it before the first look. So a note counts
 * only when it is proven; otherwise the shim is found by the folder it stands in, and the command as its child, or by the
 * mark that all of a command's descendants are born with.
 */
import { existsSync, readlinkSync } from 'node:fs';
import type { ProcessId } from '../../contract/ids.js';
import type { Identity, Owned } from '../../domain/process/process.js';
import { takeCensus } from './census.js';
import { alive, identityOf, living, markOf, read, type Living } from './living.js';

export type Found = {
  readonly shim?: Identity;
  /** The child of a shim that lives. */
  readonly command?: Identity;
  /** Without a shim: the oldest that bears the mark, which is the command or something that it left behind. */
  readonly marked?: Identity;
};

/** Of a command that lives: that it descends from a shim in this folder, or bears its mark. */
export function isProven({ shim, command }: Owned, id: ProcessId, folder: string): boolean {
  const found = alive(command);
  if (!found) return false;
  if (markOf(command.pid) === id) return true;
  return alive(shim) !== undefined && standsIn(shim.pid, folder) && descends(found, shim.pid);
}

/** Looks among those that were born since pid `since` was the newest, or among all. */
export async function discover(id: ProcessId, folder: string, since: number | undefined): Promise<Found> {
  const young = since === undefined ? undefined : bornSince(since);
  const candidates = (young ?? (await takeCensus()).all).toSorted(byAge);
  const shim = candidates.find(({ pid }) => standsIn(pid, folder));
  const command = shim && commandOf(shim, candidates);
  const marked = shim ? undefined : candidates.find(({ pid }) => markOf(pid) === id);
  return {
    ...(shim && { shim: identityOf(shim) }),
    ...(command && { command: identityOf(command) }),
    ...(marked && { marked: identityOf(marked) }),
  };
}

/** The newest pid that was given so far. */
export const newestPid = (): number | undefined => {
  const [, newest] = /(\d+)\s*$/.exec(read('/proc/loadavg') ?? '') ?? [];
  return newest === undefined ? undefined : Number(newest);
};

/** More than these are looked up faster by listing all. */
const MOST_YOUNG = 2_000;

/** undefined when the numbers have begun again from the start, or there are too many. */
function bornSince(since: number): Living[] | undefined {
  const newest = newestPid();
  if (newest === undefined || newest < since || newest - since > MOST_YOUNG) return undefined;
  const found: Living[] = [];
  for (let pid = since + 1; pid <= newest; pid++) {
    const process = existsSync(`/proc/${pid}`) ? living(pid) : undefined;
    if (process) found.push(process);
  }
  return found;
}

/** The first leads a session of its own, unlike the shim's reader; in a terminal it is the child of such a leader. */
function commandOf(shim: Living, candidates: readonly Living[]): Living | undefined {
  const childrenOf = (parent: Living) => candidates.filter((process) => process.parent === parent.pid);
  const children = childrenOf(shim);
  const own = children.find((child) => child.session === child.pid);
  if (own) return own;
  const leader = children.flatMap(childrenOf).find((child) => child.session === child.pid);
  return leader && childrenOf(leader)[0];
}

function descends(process: Living, ancestor: number): boolean {
  for (let at: Living | undefined = process, steps = 0; at && steps < 8; at = living(at.parent), steps++)
    if (at.parent === ancestor) return true;
  return false;
}

function standsIn(pid: number, folder: string): boolean {
  try {
    const directory = readlinkSync(`/proc/${pid}/cwd`);
    return directory === folder || directory === `${folder} (deleted)`;
  } catch {
    // ENOENT, EACCES: gone meanwhile, or not ours to see.
    return false;
  }
}

const byAge = (one: Living, other: Living): number =>
  Number(BigInt(one.startTime) - BigInt(other.startTime)) || one.pid - other.pid;
