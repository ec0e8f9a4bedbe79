/**
 * A command that ends at a moment we choose, the same for everybody: `cat` reads a FIFO and ends by itself, with
 * status 0, when we let go of the writing end.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { nowMs } from './peer.js';
import { until } from './wait.js';

const unopened = new Set<Gate>();

export class Gate {
  #writing: number | undefined;

  constructor(readonly path: string) {
    unopened.add(this);
  }

  get command(): string {
    return `exec cat ${this.path}`;
  }

  /** Over when the command stands before the gate. */
  async reached(): Promise<void> {
    this.#writing = await until(`a command at ${this.path}`, () => this.#hold(), { everyMs: 1 });
  }

  /** Lets the command end and says when. */
  open(): number {
    const at = nowMs();
    if (this.#writing !== undefined) closeSync(this.#writing);
    this.#writing = undefined;
    unopened.delete(this);
    return at;
  }

  /** For a command that may not stand there. */
  openToWhoeverWaits(): void {
    this.#writing ??= this.#hold();
    if (this.#writing !== undefined) this.open();
  }

  #hold(): number | undefined {
    try {
      return openSync(this.path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch {
      // ENXIO: nobody reads yet; ENOENT: the stage is gone.
      return undefined;
    }
  }
}

export function gatesIn(folder: string, count: number): Gate[] {
  const paths = Array.from({ length: count }, (_, index) => join(folder, `gate-${index}`));
  if (count > 0) execFileSync('mkfifo', paths);
  return paths.map((path) => new Gate(path));
}

/** However the bench ends, no command stays behind. */
process.on('exit', () => {
  for (const gate of unopened) gate.openToWhoeverWaits();
});
