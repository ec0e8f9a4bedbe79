/**
 * The tree of a command: everything that it started, wherever it went.
 *
 * Three traces are followed, because each alone can be shaken off: the chain of parents (lost when a parent dies),
 * the session (left with setsid), and the mark in the environment that every descendant is born with.
 */
import { readFileSync } from 'node:fs';
import type { Member, TreeUsage } from '../../ports/place.js';
import { alive, byAge, commandLine, identityOf, linkOf, read, type ProcStat } from './proc.js';
import type { ProcessId } from '../../contract/ids.js';
import type { Owned } from '../../domain/process/process.js';
import type { Census } from './census.js';

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

/** The mark counts only on processes that are younger than the command: an older one has copied it. */
const isYounger = (process: ProcStat, { command }: Owned): boolean => byAge(process, command) >= 0;

const member = (process: ProcStat): Member => ({
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

/** The device of a command's terminal, from the number that the kernel gives it. */
export function terminalOf(owned: Owned): string | undefined {
  const device = alive(owned.command)?.terminal ?? 0;
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  return major >= 136 && major <= 143 ? `/dev/pts/${(major - 136) * 256 + minor}` : undefined;
}

/** What each of these trees uses, from one census. */
export function usageOf(
  all: Census,
  trees: readonly { readonly id: ProcessId; readonly owned: Owned }[],
): ReadonlyMap<ProcessId, TreeUsage> {
  const owners = new Map<number, ProcessId>();
  for (const { id, owned } of trees) for (const pid of all.tree(owned)) owners.set(pid, id);
  const members = new Map<string, ProcStat[]>(trees.map(({ id }) => [id, []]));
  const keepers = new Set(trees.flatMap(({ owned }) => [...all.keepers(owned)]));
  for (const process of all.all.filter(({ pid }) => !keepers.has(pid))) {
    // The mark is read only of those that left their parents and their session.
    const owner = owners.get(process.pid) ?? all.markOf(process) ?? '';
    members.get(owner)?.push(process);
  }
  return new Map(trees.map(({ id }) => [id, sum(members.get(id) ?? [])]));
}

const sum = (members: readonly ProcStat[]): TreeUsage => ({
  cpuMs: Math.round((total(members, ({ cpuTicks }) => cpuTicks) * 1_000) / kernel.ticksPerSecond),
  memoryBytes: total(members, ({ residentPages }) => residentPages) * kernel.pageBytes,
  processes: members.length,
});

const total = (members: readonly ProcStat[], of: (member: ProcStat) => number): number =>
  members.reduce((sum, member) => sum + of(member), 0);

const AT_PAGESZ = 6;
const AT_CLKTCK = 17;

/** The units in which the kernel counts; it passes them to every program at its start (see getauxval(3)). */
const kernel = (() => {
  const vector = readFileSync('/proc/self/auxv');
  const values = new Map<number, number>();
  for (let at = 0; at + 16 <= vector.length; at += 16)
    values.set(Number(vector.readBigUInt64LE(at)), Number(vector.readBigUInt64LE(at + 8)));
  return { pageBytes: values.get(AT_PAGESZ) ?? 4_096, ticksPerSecond: values.get(AT_CLKTCK) ?? 100 };
})();
