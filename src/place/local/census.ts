/**
 * The living, read once for everyone who asks: a thousand kills at once read /proc as often as one kill does.
 *
 *   1. A reading begins after it was asked for, so that it shows everything that happened before.
 *   2. There is one reading at a time. Those who ask while one is under way share the next.
 */
import { roundOver } from '../../clock.js';
import { Kin, push } from './kin.js';
import { everyPid, living, markOf, type Living } from './living.js';

/** So many are read before the event loop gets its turn: a machine may have tens of thousands. */
const AT_ONCE = 200;

export class Census extends Kin {
  readonly #marks = new Map<number, string | undefined>();
  #marked: Promise<ReadonlyMap<string, readonly Living[]>> | undefined;

  /** The id of the process that this one was born in, as its environment says. */
  markOf({ pid }: Living): string | undefined {
    if (!this.#marks.has(pid)) this.#marks.set(pid, markOf(pid));
    return this.#marks.get(pid);
  }

  /** Everyone who carries a mark, by the mark. */
  marked(): Promise<ReadonlyMap<string, readonly Living[]>> {
    return (this.#marked ??= this.#readMarks());
  }

  async #readMarks(): Promise<ReadonlyMap<string, readonly Living[]>> {
    const marked = new Map<string, Living[]>();
    await inPortions(this.all, (process) => {
      const mark = this.markOf(process);
      if (mark !== undefined) push(marked, mark, process);
    });
    return marked;
  }
}

async function take(): Promise<Census> {
  const all: Living[] = [];
  await inPortions(await everyPid(), (pid) => {
    const process = living(pid);
    if (process) all.push(process);
  });
  return new Census(all);
}

async function inPortions<Item>(items: readonly Item[], work: (item: Item) => void): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    items.slice(at, at + AT_ONCE).forEach(work);
    await roundOver();
  }
}

/** Turns any number of readings that are asked for at once into one. */
export function shared<Reading>(read: () => Promise<Reading>): () => Promise<Reading> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<Reading> | undefined;
  return () => {
    next ??= current.then(() => {
      next = undefined;
      const reading = read();
      current = reading.catch(() => undefined);
      return reading;
    });
    return next;
  };
}

export const census: () => Promise<Census> = shared(take);
