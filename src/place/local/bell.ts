/**
 * The bell: one file to which a shim appends the id of its process when there is news.
 *
 * A ring is a hint. What is lost between two reads, or when the file is emptied, is found by the sweep of all processes.
 * Any command can write to it, delete it, or put something else in its place: then it is made again, and all rings in
 * between count as lost.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  rmSync,
  watch,
  type FSWatcher,
} from 'node:fs';
import { isProcessId, type ProcessId } from '../../contract/ids.js';

/** Longer than this, and it is emptied once it has been read. */
const LONGEST_BYTES = 1_048_576;

/** An id; shims of an earlier version put the status behind it, which is read from where it is written. */
const RING = /(\w+)(?: \d+)?\n/y;

type Heard = (id: ProcessId) => void;

/** Room for some hundred rings at a time. */
const READ_BYTES = 16_384;

/** Room for ten thousand. */
const MOST_PIECES = 16;

/** If it has to be made again more often than this between two sweeps, it is left alone until the next. */
const MOST_MENDS = 3;

export class Bell {
  #file: number;
  readonly #bytes = Buffer.alloc(READ_BYTES);
  #read = 0;
  /** Rings may have been lost since the last sweep. */
  #lost = false;
  #mends = 0;
  #watcher: FSWatcher | undefined;
  #heard: Heard = () => undefined;

  constructor(readonly path: string) {
    this.#file = opened(path);
  }

  listen(heard: Heard): Disposable {
    this.#heard = heard;
    this.#watch();
    return { [Symbol.dispose]: () => this.#watcher?.close() };
  }

  /** Reads without waiting for an event. False when rings were lost since the last time. */
  lookAgain(): boolean {
    this.#mends = 0;
    if (!this.#isInPlace()) this.#mend();
    this.#look();
    if (!this.#lost) return true;
    this.#lost = false;
    this.#watch();
    return false;
  }

  #watch(): void {
    this.#watcher?.close();
    try {
      this.#watcher = watch(this.path, { persistent: false }, (event) => {
        if (event === 'rename' && !this.#isInPlace()) this.#mend();
        this.#look();
      });
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // ENOSPC, EMFILE: no watch available. The sweeps still find everything.
    }
  }

  #isInPlace(): boolean {
    const [there, ours] = [lstatSync(this.path, { throwIfNoEntry: false }), fstatSync(this.#file)];
    return there?.ino === ours.ino && there.dev === ours.dev;
  }

  #mend(): void {
    this.#lost = true;
    this.#watcher?.close();
    if (++this.#mends > MOST_MENDS) return;
    try {
      const file = opened(this.path);
      closeSync(this.#file);
      this.#file = file;
      this.#read = 0;
      this.#watch();
    } catch {
      // No room, no descriptors: the next sweep tries again.
    }
  }

  /** Reads what was rung since the last look. */
  #look(): void {
    for (let pieces = 0; pieces < MOST_PIECES; pieces++) if (!this.#readPiece()) return;
    // Shims do not ring like this. The bell is left alone for a while, so that the host can do its work.
    this.#lost = true;
    this.#watcher?.close();
    this.#empty();
  }

  /** True when there may be more. */
  #readPiece(): boolean {
    const length = readSync(this.#file, this.#bytes, 0, this.#bytes.length, this.#read);
    if (length === 0) return this.#wasEmptied();
    const isFull = length === this.#bytes.length;
    const rings = this.#bytes.toString('latin1', 0, length);
    const whole = rings.lastIndexOf('\n') + 1;
    // A line that is not whole is read again; one that nothing could be longer than was not rung by a shim.
    this.#read += whole === 0 && isFull ? length : whole;
    for (let from = 0; from < whole; from = rings.indexOf('\n', from) + 1) this.#tell(rings, from);
    if (!isFull && this.#read > LONGEST_BYTES) this.#empty();
    return isFull;
  }

  #tell(rings: string, from: number): void {
    RING.lastIndex = from;
    const [, id = ''] = RING.exec(rings) ?? [];
    if (isProcessId(id)) this.#heard(id);
  }

  /** Nothing is left to read, unless a command has emptied it and it was rung since. */
  #wasEmptied(): boolean {
    const { size, nlink } = fstatSync(this.#file);
    if (nlink === 0) this.#mend();
    if (size >= this.#read) return false;
    this.#read = 0;
    return size > 0;
  }

  #empty(): void {
    ftruncateSync(this.#file);
    this.#read = 0;
  }

  close(): void {
    this.#watcher?.close();
    closeSync(this.#file);
  }
}

/** Whatever is there: nothing is emptied or read through a link, and opening it never blocks. */
function opened(path: string): number {
  try {
    return openedFile(path);
  } catch {
    rmSync(path, { recursive: true, force: true });
    return openedFile(path);
  }
}

function openedFile(path: string): number {
  const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = openSync(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    const found = fstatSync(file);
    // With a second name it may be a file that is needed elsewhere.
    if (!found.isFile() || found.nlink > 1) throw new Error(`${path} is not a file of ours.`);
    fchmodSync(file, 0o600);
    ftruncateSync(file);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}
