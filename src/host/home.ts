/**
 * The home of a host: one folder that one host at a time may use.
 *
 * The lock is a kernel lock on a file, held through SQLite while the host lives, so it is gone when the host is, however
 * it died. `host.json` says where the host is; it is a hint, never a lock.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { weakness } from '../domain/people/sign-in.js';
import { isAlive, NOTE, readNote, type HostNote } from '../host-note.js';
import { connect } from '../store/sqlite/connection.js';
import { errno } from '../errno.js';

export class HomeTaken extends Error {
  override readonly name = 'HomeTaken';
}

export class Home {
  private constructor(
    readonly path: string,
    readonly unlock: () => void,
  ) {}

  /** Throws `HomeTaken`, naming the holder, when another host has it. */
  static async take(path: string): Promise<Home> {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chmodSync(path, 0o700);
    const lock = await connect(join(path, 'lock'), 0);
    try {
      lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    } catch (error) {
      lock.close();
      if (!(error instanceof Error) || !/locked|busy/i.test(error.message)) throw error;
      const holder = readNote(path);
      throw new HomeTaken(
        `Another host holds ${path}${holder && isAlive(holder) ? `: process ${holder.pid}, at ${holder.url}, since ${holder.startedAt}` : ''}. Use that one, or set ROUSE_HOME to another folder.`,
      );
    }
    // The kernel reports file changes by real path.
    return new Home(realpathSync(path), () => lock.close());
  }

  /** The token, created at the first start. Throws if the existing one could be guessed. */
  token(given: string | undefined): string {
    if (given) return strong(given, 'ROUSE_TOKEN');
    const path = join(this.path, 'token');
    try {
      const kept = readFileSync(path, 'utf8').trim();
      chmodSync(path, 0o600);
      if (kept !== '') return strong(kept, path);
    } catch (error) {
      if (errno(error) !== 'ENOENT') throw error;
    }
    const token = `rouse_${randomBytes(32).toString('base64url')}`;
    writeAtomically(path, `${token}\n`);
    return token;
  }

  announce(note: HostNote): void {
    writeAtomically(join(this.path, NOTE), `${JSON.stringify(note)}\n`);
  }

  leave(): void {
    rmSync(join(this.path, NOTE), { force: true });
    this.unlock();
  }
}

function strong(token: string, source: string): string {
  const trouble = weakness(token, source);
  if (trouble !== undefined) throw new Error(trouble);
  return token;
}

function writeAtomically(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
