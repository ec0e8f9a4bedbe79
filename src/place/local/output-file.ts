/** Reading an output file that belongs to a command which may do anything to it. */
import { constants, lstatSync, watch } from 'node:fs';
import { open } from 'node:fs/promises';
import { refuse, type Refusal } from '../../contract/refusal.js';
import { isAbsent } from './errno.js';

const missing = refuse('output-damaged', 'The output file is gone: it was deleted or renamed, or its folder was.');
const replaced = refuse(
  'output-damaged',
  'The output file was replaced by something that is not a file; it is not read.',
);

/** Answers for the file itself, never for what a link in its place points to. Asked often, so without a hop to a thread. */
export function sizeOf(path: string): number | Refusal {
  try {
    const found = lstatSync(path);
    return found.isFile() ? found.size : replaced;
  } catch (error) {
    if (isAbsent(error)) return missing;
    throw error;
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
    if (isAbsent(error)) return missing;
    throw error;
  }
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
