/**
 * The tree of a command: all that it started, wherever they went.
 *
 * Three traces are followed, because each alone can be shaken off: the chain of parents (lost when a parent dies),
 * the session (left with setsid), and the mark in the environment that every descendant is born with.
 */
import { readlinkSync } from 'node:fs';
import type { ProcessId } from '../../contract/ids.js';
import type { Owned } from '../../domain/process.js';
import type { Member } from '../../place.js';
import { Kin } from './kin.js';
import { alive, bornWith, commandLine, everybody, identityOf, read, recently, type Living } from './living.js';

export async function membersOf(id: ProcessId, owned: Owned): Promise<Member[]> {
  const all = await everybody();
  const kin = new Kin(all);
  const keepers = kin.keepers(owned);
  const tree = new Set(kin.tree(owned));
  for (const process of all) if (!tree.has(process.pid) && marked(process, id, owned)) tree.add(process.pid);
  return all.filter((process) => tree.has(process.pid) && !keepers.has(process.pid)).map(member);
}

/** The mark counts only on processes that were born after the command: an older one is somebody who copied it. */
const marked = (process: Living, id: ProcessId, owned: Owned): boolean =>
  BigInt(process.startTime) >= BigInt(owned.command.startTime) && bornWith(process.pid, `ROUSE_PROCESS=${id}`);

const member = (process: Living): Member => ({
  identity: identityOf(process),
  command: commandLine(process.pid),
});

/** Where the kernel says a process sleeps while it reads a pipe or a terminal. */
const READING = /^(?:anon_)?pipe_(?:read|wait)|^wait_woken|^n_tty_read/;

/** Asked for every process of a list at once, so the living are read once for all of them. */
export async function readsInput(owned: Owned, fifo: string): Promise<boolean> {
  const kin = new Kin(await recently());
  return kin.descendants(owned.command.pid).some((pid) => {
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
