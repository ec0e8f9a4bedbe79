/** What trees of processes use, all of them by one reading of the living. */
import { readFileSync } from 'node:fs';
import type { ProcessId } from '../../contract/ids.js';
import type { Owned } from '../../domain/process/process.js';
import type { TreeUsage } from '../../ports/place.js';
import type { Census } from './census.js';
import type { Living } from './living.js';

export function usageOf(
  kin: Census,
  trees: readonly { readonly id: ProcessId; readonly owned: Owned }[],
): ReadonlyMap<ProcessId, TreeUsage> {
  const owners = new Map<number, ProcessId>();
  for (const { id, owned } of trees) for (const pid of kin.tree(owned)) owners.set(pid, id);
  const members = new Map<string, Living[]>(trees.map(({ id }) => [id, []]));
  const keepers = new Set(trees.flatMap(({ owned }) => [...kin.keepers(owned)]));
  for (const process of kin.all.filter(({ pid }) => !keepers.has(pid))) {
    // Only those who left their parents and their session are asked for the mark that they were born with.
    const owner = owners.get(process.pid) ?? kin.markOf(process) ?? '';
    members.get(owner)?.push(process);
  }
  return new Map(trees.map(({ id }) => [id, sum(members.get(id) ?? [])]));
}

const sum = (members: readonly Living[]): TreeUsage => ({
  cpuMs: Math.round((total(members, ({ cpuTicks }) => cpuTicks) * 1_000) / kernel.ticksPerSecond),
  memoryBytes: total(members, ({ residentPages }) => residentPages) * kernel.pageBytes,
  processes: members.length,
});

const total = (members: readonly Living[], of: (member: Living) => number): number =>
  members.reduce((so, member) => so + of(member), 0);

const AT_PAGESZ = 6;
const AT_CLKTCK = 17;

/** The units in which the kernel counts, as it tells every program at its start (see getauxval(3)). */
const kernel = (() => {
  const told = readFileSync('/proc/self/auxv');
  const values = new Map<number, number>();
  for (let at = 0; at + 16 <= told.length; at += 16)
    values.set(Number(told.readBigUInt64LE(at)), Number(told.readBigUInt64LE(at + 8)));
  return { pageBytes: values.get(AT_PAGESZ) ?? 4_096, ticksPerSecond: values.get(AT_CLKTCK) ?? 100 };
})();
