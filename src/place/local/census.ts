/**
 * The living, read once for everyone who asks: a thousand kills at once read /proc as often as one kill does.
 *
 *   1. A reading begins after it was asked for, so that it shows everything that happened before.
 *   2. There is one reading at a time. Those who ask while one is under way share the next.
 *   3. Readings take half of the processor's time at most, however many ask.
 */
import { pause, roundOver, type Clock } from '../../ports/clock.js';
import { Kin, push } from './kin.js';
import { everyPid, living, markOf, type Living } from './living.js';

/** So many are read before the event loop gets its turn: a machine may have tens of thousands. */
const AT_ONCE = 200;

/** What was read of the environments before: one that becomes no other program keeps its own, and need not be read again. */
const marks = new Map<string, string | undefined>();

const keyOf = ({ pid, startTime, environmentAt }: Living): string => `${pid} ${startTime} ${environmentAt}`;

export class Census extends Kin {
  #marked: Promise<ReadonlyMap<string, readonly Living[]>> | undefined;

  constructor(all: readonly Living[]) {
    super(all);
    const present = new Set(all.map(keyOf));
    for (const key of marks.keys()) if (!present.has(key)) marks.delete(key);
  }

  /** The id of the process that this one was born in, as its environment says. */
  markOf(process: Living): string | undefined {
    const key = keyOf(process);
    if (marks.has(key)) return marks.get(key);
    const mark = markOf(process.pid);
    if (process.environmentAt !== '0') marks.set(key, mark);
    return mark;
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

export async function takeCensus(): Promise<Census> {
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

/** Turns any number of readings that are asked for at once into one. Between two it rests for as long as the first took. */
export function shared<Reading>(read: () => Promise<Reading>, clock: Clock): () => Promise<Reading> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<Reading> | undefined;
  return () => {
    next ??= current.then(() => {
      next = undefined;
      const began = clock.monotonic();
      const reading = read();
      current = reading.catch(() => undefined).then(() => pause(clock, clock.monotonic() - began));
      return reading;
    });
    return next;
  };
}
