/** Where a path really leads, and whose it is. */
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { errno } from '../../../errno.js';

/** With links followed as far as it exists; what is not there yet is where it would be made. */
export async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (errno(error) !== 'ENOENT' || parent === path) throw error;
    return join(await realOf(parent), basename(path));
  }
}

export const isWithin = async (folder: string, real: string): Promise<boolean> =>
  `${real}${sep}`.startsWith(`${await realOf(folder)}${sep}`);

/** By whatever name: a second link to a file is the same file. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([statOf(one), statOf(other)]);
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** Undefined when there is none. */
export const statOf = (path: string) =>
  stat(path).catch((error: unknown) => {
    if (errno(error) === 'ENOENT') return undefined;
    throw error;
  });

/** What the system refused, in words for the model; undefined for what is no refusal of the system. */
export function refusalOf(error: unknown): string | undefined {
  const code = errno(error);
  return code === undefined || !/^E[A-Z]+$/.test(code) ? undefined : (WORDS[code] ?? `the system says ${code}`);
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'that is not permitted',
  EPERM: 'that is not permitted',
  EROFS: 'the disk is read-only',
  ENOSPC: 'there is no room on the disk',
  EDQUOT: 'there is no room on the disk',
  ELOOP: 'its links go in a circle',
  ENAMETOOLONG: 'the name is too long',
};
