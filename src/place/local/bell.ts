/**
 * The bell: one file to which a shim appends the id of its process when there is news.
 *
 * It is advice. What is lost between two reads, or when the file is emptied, is found by whoever looks at everybody.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, watch, type FSWatcher } from 'node:fs';
import { ProcessId } from '../../contract/ids.js';

/** Longer than this, and it is emptied once it has been read. */
const LONGEST_BYTES = 1_048_576;

export class Bell {
  #file: number;
  #read = 0;
  #watcher: FSWatcher | undefined;
  #heard: (id: ProcessId) => void = () => undefined;

  constructor(readonly path: string) {
    this.#file = openSync(path, 'a+', 0o600);
    ftruncateSync(this.#file);
  }

  listen(heard: (id: ProcessId) => void): Disposable {
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
    const { size } = fstatSync(this.#file);
    if (size < this.#read) this.#read = 0;
    const bytes = Buffer.alloc(size - this.#read);
    const length = readSync(this.#file, bytes, 0, bytes.length, this.#read);
    const whole = bytes.subarray(0, length).lastIndexOf(10) + 1;
    this.#read += whole;
    if (this.#read > LONGEST_BYTES) {
      ftruncateSync(this.#file);
      this.#read = 0;
    }
    for (const id of new Set(bytes.toString('latin1', 0, whole).split('\n'))) {
      const rung = ProcessId.safeParse(id).data;
      if (rung) this.#heard(rung);
    }
  }

  close(): void {
    this.#watcher?.close();
    closeSync(this.#file);
  }
}
