/**
 * The tree of a command: all that it started, wherever they went.
 *
 * Three traces are followed, because each alone can be shaken off: the chain of parents (lost when a parent dies),
 * the session (left with setsid), and the mark in the environment that every descendant is born with.
 */
import { readlinkSync } from 'node:fs';
import type { ProcessId } from '../../contract/ids.js';
import type { Owned } from '../../domain/process/process.js';
import type { Member } from '../../ports/place.js';
import type { Census } from './census.js';
import { alive, commandLine, identityOf, read, type Living } from './living.js';

/** `known` were members before. They and what they started since count even where every trace of their origin is gone. */
export async function membersOf(
  all: Census,
  id: ProcessId,
  owned: Owned,
  known: readonly Member[] = [],
): Promise<Member[]> {
  const marked = ((await all.marked()).get(id) ?? []).filter((process) => isYounger(process, owned));
  const knownAlive = known.flatMap(({ identity }) => all.alive(identity) ?? []);
  const roots = [...all.tree(owned), ...[...marked, ...knownAlive].map(({ pid }) => pid)];
  const keepers = all.keepers(owned);
  return all
    .descendants(...roots.filter((pid) => !keepers.has(pid)))
    .filter((pid) => !keepers.has(pid))
    .flatMap((pid) => all.of(pid) ?? [])
    .map(member);
}

/** The mark counts only on processes that were born after the command: an older one is somebody who copied it. */
const isYounger = (process: Living, owned: Owned): boolean =>
  BigInt(process.startTime) >= BigInt(owned.command.startTime);

const member = (process: Living): Member => ({
  identity: identityOf(process),
  command: commandLine(process.pid),
});

/** Where the kernel says a process sleeps while it reads a pipe or a terminal. */
const READING = /^(?:anon_)?pipe_(?:read|wait)|^wait_woken|^n_tty_read/;

export function readsInput(all: Census, owned: Owned, fifo: string): boolean {
  return all.descendants(owned.command.pid).some((pid) => {
    const input = linkOf(`/proc/${pid}/fd/0`);
    return (input === fifo || input?.startsWith('/dev/pts/')) && READING.test(read(`/proc/${pid}/wchan`) ?? '');
  });
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // ENOENT, EACCES: gone meanwhile, or not ours to see.
    return undefined;
  }
}

/** The device of a command's terminal, from the number that the kernel gives it. */
export function terminalOf(owned: Owned): string | undefined {
  const device = alive(owned.command)?.terminal ?? 0;
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  return major >= 136 && major <= 143 ? `/dev/pts/${(major - 136) * 256 + minor}` : undefined;
}
