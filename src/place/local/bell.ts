/**
 * The bell: one file to which a shim appends the id of its process when there is news, at an ordinary end with its status.
 *
 * It is advice. What is lost between two reads, or when the file is emptied, is found by whoever looks at everybody.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, watch, type FSWatcher } from 'node:fs';
import { isProcessId, type ProcessId } from '../../contract/ids.js';

/** Longer than this, and it is emptied once it has been read. */
const LONGEST_BYTES = 1_048_576;

/** An id, and perhaps a status; above 128 a signal may be meant, which takes more than a number to tell. */
const RING = /(\w+)(?: (\d{1,2}|1[01]\d|12[0-8]))?\n/y;

type Heard = (id: ProcessId, status: number | undefined) => void;

/** Room for some hundred rings at a time. */
const READ_BYTES = 16_384;

/** Room for ten thousand. */
const MOST_PIECES = 16;

export class Bell {
  readonly #file: number;
  readonly #bytes = Buffer.alloc(READ_BYTES);
  #read = 0;
  #flooded = false;
  #watcher: FSWatcher | undefined;
  #heard: Heard = () => undefined;

  constructor(readonly path: string) {
    this.#file = openSync(path, 'a+', 0o600);
    ftruncateSync(this.#file);
  }

  listen(heard: Heard): Disposable {
    this.#heard = heard;
    this.#watch();
    return { [Symbol.dispose]: () => this.#watcher?.close() };
  }

  /** For whoever does not trust the events. False when rings were lost since the last time. */
  lookAgain(): boolean {
    this.#look();
    if (!this.#flooded) return true;
    this.#flooded = false;
    this.#watch();
    return false;
  }

  #watch(): void {
    try {
      this.#watcher = watch(this.path, { persistent: false }, () => this.#look());
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // ENOSPC, EMFILE: no watch to be had. Whoever polls still finds everything.
    }
  }

  /** Reads what was rung since the last look. */
  #look(): void {
    for (let pieces = 0; pieces < MOST_PIECES; pieces++) if (!this.#readPiece()) return;
    // No shims ring like this. Whoever does must not keep the host from its work: it is left alone for a while.
    this.#flooded = true;
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
    const [, id = '', status] = RING.exec(rings) ?? [];
    if (isProcessId(id)) this.#heard(id, status === undefined ? undefined : Number(status));
  }

  /** Nothing is left to be read, unless somebody else has emptied it and it was rung since. */
  #wasEmptied(): boolean {
    const { size } = fstatSync(this.#file);
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
