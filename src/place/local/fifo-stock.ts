/** A stock of FIFOs made a few dozen at a time: `mkfifo` for each start would be a third of its price. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Launcher } from './launcher.js';

const BATCH = 64;

export class FifoStock {
  readonly #ready: string[] = [];
  #made = 0;
  #making = false;

  constructor(
    readonly folder: string,
    readonly launcher: Launcher,
  ) {}

  /** Puts one in place. With none left the shim makes its own. */
  take(destination: string): void {
    const name = this.#ready.pop();
    if (this.#ready.length < BATCH / 2) this.refill();
    if (name) renameSync(join(this.folder, name), destination);
  }

  refill(): void {
    if (this.#making) return;
    this.#making = true;
    const names = Array.from({ length: BATCH }, () => `${process.pid}-${++this.#made}`);
    void this.launcher.ask('fifos', ...names).then((status) => {
      this.#making = false;
      if (status === 0) this.#ready.push(...names);
    });
  }
}
