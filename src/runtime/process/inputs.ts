/** The input of processes: in order, bounded, refused in a sentence where it cannot arrive. */
import type { ProcessId } from '../../contract/ids.js';
import { refuse, type Refusal } from '../../contract/refusal.js';
import type { Owned } from '../../domain/process/process.js';
import type { Place } from '../../ports/place.js';
import type { ProcessRecord } from '../../ports/store.js';
import { SerialQueue } from '../serial-queue.js';
import type { Supervisor } from './supervisor.js';

/** What a terminal takes for the end of its input at the beginning of a line; within a line it only hands over the line. */
const END_OF_TRANSMISSION = '\u0004';

/** After these a terminal is at the beginning of a line. */
const ENDS_LINE: readonly (string | undefined)[] = ['\n', '\r', END_OF_TRANSMISSION];

export class Inputs {
  readonly #turns = new SerialQueue<ProcessId>();
  /** How many writes to each process wait or run. */
  readonly #waiting = new Map<ProcessId, number>();
  /** Terminals into which a line was written that is not finished. */
  readonly #unfinished = new Set<ProcessId>();

  constructor(
    readonly supervisor: Supervisor,
    /** How many writes to one process may wait for each other. */
    readonly most: number,
  ) {}

  write(record: ProcessRecord, text: string): Promise<Refusal | undefined> {
    return this.#inOrder(record, (place, owned) => this.#type(record, place, owned, text));
  }

  close(record: ProcessRecord): Promise<Refusal | undefined> {
    return this.#inOrder(record, async (place, owned) => {
      if (!record.pty) return place.closeInput(owned).then(() => undefined);
      const handsOver = this.#unfinished.has(record.id) ? END_OF_TRANSMISSION : '';
      return this.#type(record, place, owned, handsOver + END_OF_TRANSMISSION);
    });
  }

  async #type({ id, pty }: ProcessRecord, place: Place, owned: Owned, text: string): Promise<Refusal | undefined> {
    const refusal = await place.write(owned, new TextEncoder().encode(text));
    if (pty && text !== '' && !ENDS_LINE.includes(text.at(-1))) this.#unfinished.add(id);
    else if (text !== '') this.#unfinished.delete(id);
    return refusal;
  }

  resize(record: ProcessRecord, rows: number, cols: number): Promise<Refusal | undefined> {
    if (!record.pty)
      return Promise.resolve(
        refuse('no-terminal', `Process ${record.id} has no terminal: start it with a PTY to have one.`),
      );
    return this.#inOrder(record, (place, owned) => place.resize(owned, rows, cols));
  }

  async #inOrder(
    record: ProcessRecord,
    work: (place: Place, owned: Owned) => Promise<Refusal | undefined>,
  ): Promise<Refusal | undefined> {
    const { id } = record;
    const waiting = this.#waiting.get(id) ?? 0;
    if (waiting >= this.most)
      return refuse(
        'input-full',
        `Process ${id} is not reading its input: ${waiting} writes are already waiting. Nothing was sent; try again later.`,
      );
    this.#waiting.set(id, waiting + 1);
    return this.#turns.run(id, () => this.#ifRunning(id, work)).finally(() => this.#left(id));
  }

  #left(id: ProcessId): void {
    const waiting = (this.#waiting.get(id) ?? 1) - 1;
    if (waiting > 0) this.#waiting.set(id, waiting);
    else this.#waiting.delete(id);
  }

  async #ifRunning(
    id: ProcessId,
    work: (place: Place, owned: Owned) => Promise<Refusal | undefined>,
  ): Promise<Refusal | undefined> {
    const record = await this.supervisor.get(id);
    if (!record) return refuse('not-found', `There is no process ${id}.`);
    switch (record.lifecycle.kind) {
      case 'starting':
        return refuse('not-running-yet', `Process ${id} is still starting; try again in a moment.`);
      case 'ended':
        this.#unfinished.delete(id);
        return refuse('already-ended', `Process ${id} has already ended; it reads no input any more.`);
      case 'running':
        return work(this.supervisor.places.of(record), record.lifecycle.owned);
    }
  }
}
