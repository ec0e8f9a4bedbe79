/** A command's input: a pipe whose writing end its shim holds. Nothing here waits for a command without a limit. */
import { constants, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { pause, type Clock } from '../../ports/clock.js';
import { refuse, type Refusal } from '../../contract/refusal.js';
import type { Owned } from '../../domain/process/process.js';
import { errno } from '../../errno.js';
import { alive, linkOf, send } from './proc.js';

/** A pipe holds 64 KiB; a command that reads nothing for this long is not going to. */
const PATIENCE_MS = 5_000;

/** How long a shim may take to close its input; after that it is stopped or overloaded. */
const CLOSING_MS = 2_000;

/** Where the shim holds it. Opened from there, it is out of reach of what a command does to its own folder. */
const writingEnd = ({ shim }: Owned): string => `/proc/${shim.pid}/fd/3`;

/** What the kernel calls the pipe in the links of those who hold it; undefined when it is closed. */
export const inputOf = (owned: Owned): string | undefined => alive(owned.shim) && linkOf(writingEnd(owned));

/** Over when it is closed, so that a write that comes after is refused. What was written before is still read. */
export async function closeInput(clock: Clock, owned: Owned): Promise<void> {
  if (send(owned.shim, 'SIGUSR1', false) !== 'sent') return;
  const givingUpAt = clock.monotonic() + CLOSING_MS;
  while (existsSync(writingEnd(owned)) && clock.monotonic() < givingUpAt) await pause(clock, 2);
}

export async function writeInput(clock: Clock, owned: Owned, bytes: Uint8Array): Promise<Refusal | undefined> {
  const pipe = alive(owned.shim) ? await openForWriting(writingEnd(owned)) : closed;
  if ('refused' in pipe) return pipe;
  try {
    let givingUpAt = clock.monotonic() + PATIENCE_MS;
    for (let taken = 0; taken < bytes.length;) {
      const more = await tryWrite(pipe, bytes.subarray(taken));
      if (more === 'broken') return closed;
      if (more === 0 && clock.monotonic() > givingUpAt)
        return refuse(
          'input-full',
          `The process does not read its input: ${taken} of ${bytes.length} bytes were taken, the rest was not sent.`,
        );
      if (more === 0) await pause(clock, 10);
      else givingUpAt = clock.monotonic() + PATIENCE_MS;
      taken += more;
    }
    return undefined;
  } finally {
    await pipe.close();
  }
}

const closed = refuse('input-closed', 'The input of this process is closed.');

async function openForWriting(path: string) {
  try {
    const pipe = await open(path, constants.O_WRONLY | constants.O_NONBLOCK);
    if ((await pipe.stat()).isFIFO()) return pipe;
    await pipe.close();
    return closed;
  } catch (error) {
    // ENOENT: closed by us, or the shim is gone; ENXIO: the command has closed it.
    if (['ENOENT', 'ENXIO'].includes(errno(error) ?? '')) return closed;
    throw error;
  }
}

async function tryWrite(pipe: Awaited<ReturnType<typeof open>>, bytes: Uint8Array): Promise<number | 'broken'> {
  try {
    return (await pipe.write(bytes)).bytesWritten;
  } catch (error) {
    if (errno(error) === 'EAGAIN') return 0;
    if (errno(error) === 'EPIPE') return 'broken';
    throw error;
  }
}
