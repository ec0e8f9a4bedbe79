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

export class Bell {
  readonly #file: number;
  readonly #bytes = Buffer.alloc(READ_BYTES);
  #read = 0;
  #watcher: FSWatcher | undefined;
  #heard: Heard = () => undefined;

  constructor(readonly path: string) {
    this.#file = openSync(path, 'a+', 0o600);
    ftruncateSync(this.#file);
  }

  listen(heard: Heard): Disposable {
    this.#heard = heard;
    try {
      this.#watcher = watch(this.path, { persistent: false }, () => this.look());
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // ENOSPC, EMFILE: no watch to be had. Whoever polls still finds everything.
    }
    return { [Symbol.dispose]: () => this.#watcher?.close() };
  }

  /** Reads what was rung since the last look. */
  look(): void {
    const length = readSync(this.#file, this.#bytes, 0, this.#bytes.length, this.#read);
    if (length === 0) return this.#readAll();
    const isFull = length === this.#bytes.length;
    const rings = this.#bytes.toString('latin1', 0, length);
    const whole = rings.lastIndexOf('\n') + 1;
    // A line that is not whole is read again; one that nothing could be longer than was not rung by a shim.
    this.#read += whole === 0 && isFull ? length : whole;
    for (let from = 0; from < whole; from = rings.indexOf('\n', from) + 1) this.#tell(rings, from);
    if (isFull) this.look();
    else if (this.#read > LONGEST_BYTES) this.#empty();
  }

  #tell(rings: string, from: number): void {
    RING.lastIndex = from;
    const [, id = '', status] = RING.exec(rings) ?? [];
    if (isProcessId(id)) this.#heard(id, status === undefined ? undefined : Number(status));
  }

  /** Nothing is left to be read, unless somebody else has emptied it and it was rung since. */
  #readAll(): void {
    const { size } = fstatSync(this.#file);
    if (size >= this.#read) return;
    this.#read = 0;
    if (size > 0) this.look();
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
