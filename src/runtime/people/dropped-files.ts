/**
 * Files that people give to a session. They stay until a person removes them: an agent may know their paths.
 *
 *   bytes ──▶ files/.arriving/<some name> ──whole, on the disk──▶ files/<session>/<name>
 *
 *   1. A file in the folder of a session is whole.
 *   2. None replaces another: the second one with a name gets a number.
 *   3. A file that does not arrive whole leaves nothing; the next start removes what a crash left.
 */
import { link, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionId } from '../../contract/ids.js';
import { isRefusal, refuse, type Refusal } from '../../contract/refusal.js';
import { filesIn, numbered, safeName } from '../../domain/session/names.js';
import { errno } from '../../errno.js';

export type DroppedFile = { readonly name: string; readonly path: string; readonly bytes: number };

const MIB = 1_048_576;
const MOST_BYTES = 32 * MIB;

export class DroppedFiles {
  readonly #folder: string;
  readonly #arriving: string;

  constructor(
    rouseHome: string,
    readonly newName: () => string,
  ) {
    this.#folder = filesIn(rouseHome);
    this.#arriving = join(this.#folder, '.arriving');
  }

  async start(): Promise<void> {
    await rm(this.#arriving, { recursive: true, force: true });
  }

  async keep(session: SessionId, wanted: string, bytes: AsyncIterable<Uint8Array>): Promise<DroppedFile | Refusal> {
    await mkdir(this.#arriving, { recursive: true, mode: 0o700 });
    const path = join(this.#arriving, this.newName());
    try {
      const size = await write(path, bytes);
      return isRefusal(size) ? size : { ...(await this.#settle(path, session, safeName(wanted))), bytes: size };
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Linked, not renamed: that would silently replace what has come there meanwhile. */
  async #settle(path: string, session: SessionId, wanted: string): Promise<Omit<DroppedFile, 'bytes'>> {
    const folder = join(this.#folder, session);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (let number = 1; ; number++) {
      const name = numbered(wanted, number);
      if (await linked(path, join(folder, name))) return { name, path: join(folder, name) };
    }
  }
}

async function write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number | Refusal> {
  await using file = await open(path, 'wx', 0o600);
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size <= MOST_BYTES) await file.appendFile(chunk);
    // A little more is read and dropped: a connection that is cut in the middle cannot be told why.
    else if (size > 2 * MOST_BYTES) break;
  }
  if (size > MOST_BYTES)
    return refuse('too-large', 'The file is larger than 32 MiB, which is the limit. Nothing was stored.');
  await file.sync();
  return size;
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (errno(error) === 'EEXIST') return false;
    throw error;
  }
}
