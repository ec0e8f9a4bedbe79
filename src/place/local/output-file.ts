/** Reading an output file that belongs to a command which may do anything to it. */
import { constants, lstatSync, watch } from 'node:fs';
import { open } from 'node:fs/promises';
import { refuse, type Refusal } from '../../contract/refusal.js';
import { errno, isAbsent, isUnreadable } from '../../errno.js';

const damaged = (why: string): Refusal => refuse('output-damaged', why);

const missing = damaged('The output file is gone: it was deleted or renamed, or its folder was.');
const replaced = damaged('The output file was replaced by something that is not a file; it is not read.');
const tooLarge = damaged('The output file claims to be larger than any output can be; it is not read.');

/** No disk holds a pebibyte of output, and far above this numbers stop being exact. */
const LARGEST_BYTES = 2 ** 50;

/** Answers for the file itself, never for what a link in its place points to. Asked often, so without a hop to a thread. */
export function sizeOf(path: string): number | Refusal {
  try {
    const found = lstatSync(path);
    if (!found.isFile()) return replaced;
    return found.size > LARGEST_BYTES ? tooLarge : found.size;
  } catch (error) {
    return damageBy(error);
  }
}

export async function readAt(path: string, offset: number, length: number): Promise<Uint8Array | Refusal> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) return replaced;
    const bytes = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } catch (error) {
    return damageBy(error);
  }
}

function damageBy(error: unknown): Refusal {
  if (isAbsent(error)) return missing;
  if (!isUnreadable(error)) throw error;
  const why = `The output file cannot be read (${errno(error)}): check its permissions and the disk.`;
  return damaged(why);
}

/** One call for the first change, then silence: a command may write a million times a second. */
export function onNextChange(path: string, changed: () => void): Disposable {
  try {
    const watcher = watch(path, { persistent: false }, () => {
      watcher.close();
      changed();
    });
    // ENOENT and the like come late on some systems; polling is the net.
    watcher.on('error', () => watcher.close());
    return { [Symbol.dispose]: () => watcher.close() };
  } catch {
    // ENOENT: no file yet; ENOSPC, EMFILE: no watch to be had. Polling is the net.
    return { [Symbol.dispose]: () => undefined };
  }
}
