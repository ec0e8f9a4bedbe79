/** Writing to a command's input: a FIFO that is never waited for without a limit. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { pause, type Clock } from '../../clock.js';
import { refuse, type Refusal } from '../../contract/refusal.js';
import { errno } from './errno.js';

/** A pipe holds 64 KiB; a command that reads nothing for so long is not going to. */
const PATIENCE_MS = 5_000;

export async function writeInput(clock: Clock, fifo: string, bytes: Uint8Array): Promise<Refusal | undefined> {
  const pipe = await openForWriting(fifo);
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

async function openForWriting(fifo: string) {
  try {
    const pipe = await open(fifo, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    if ((await pipe.stat()).isFIFO()) return pipe;
    await pipe.close();
    return closed;
  } catch (error) {
    // ENOENT: closed by us; ENXIO: nobody reads any more; ELOOP: replaced by a link.
    if (['ENOENT', 'ENXIO', 'ELOOP'].includes(errno(error) ?? '')) return closed;
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
