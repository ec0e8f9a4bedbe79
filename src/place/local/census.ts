/**
 * Every process of the machine, read once for all callers: a thousand kills at once read /proc as often as one kill does.
 *
 *   1. A reading begins after it was asked for, so it shows everything that happened before.
 *   2. There is one reading at a time. Callers that ask during a reading share the next one.
 *   3. Readings take at most half of the processor's time, however many callers ask.
 */
import { pause, roundOver, type Clock } from '../../ports/clock.js';
import type { Identity, Owned } from '../../domain/process/process.js';
import { everyPid, statOf, markOf, thisBoot, type ProcStat } from './proc.js';

/** How many are read before the event loop gets its turn: a machine may have tens of thousands. */
const AT_ONCE = 200;

/** Marks that were read before: a process that runs no other program keeps its environment. */
const marks = new Map<string, string | undefined>();

const keyOf = ({ pid, startTime, environmentAt }: ProcStat): string => `${pid} ${startTime} ${environmentAt}`;

export class Census {
  readonly #byPid: ReadonlyMap<number, ProcStat>;
  readonly #children = new Map<number, number[]>();
  readonly #sessions = new Map<number, number[]>();
  #marked: Promise<ReadonlyMap<string, readonly ProcStat[]>> | undefined;

  constructor(readonly all: readonly ProcStat[]) {
    this.#byPid = new Map(all.map((process) => [process.pid, process]));
    for (const { pid, parent, session } of all) {
      push(this.#children, parent, pid);
      push(this.#sessions, session, pid);
    }
    const present = new Set(all.map(keyOf));
    for (const key of marks.keys()) if (!present.has(key)) marks.delete(key);
  }

  of(pid: number): ProcStat | undefined {
    return this.#byPid.get(pid);
  }

  /** The process that had this identity at the time of the reading. */
  alive({ pid, startTime, boot }: Identity): ProcStat | undefined {
    const process = this.#byPid.get(pid);
    return boot === thisBoot && process?.startTime === startTime ? process : undefined;
  }

  /** These processes and everything they started. */
  descendants(...roots: readonly number[]): readonly number[] {
    const found = new Set(roots);
    // A walk over a set also visits what is added during the walk.
    for (const pid of found) for (const child of this.#children.get(pid) ?? []) found.add(child);
    return [...found];
  }

  /** Everything a command started, as far as parents and its session show; its keepers may be included. */
  tree({ command: identity }: Owned): readonly number[] {
    const command = this.alive(identity);
    if (!command) return [];
    const session = ownSession(command);
    return [...this.descendants(command.pid), ...(session === undefined ? [] : (this.#sessions.get(session) ?? []))];
  }

  /** The shim, and what holds the terminal between it and the command: they must live to record the end. */
  keepers({ shim, command }: Owned): ReadonlySet<number> {
    const keepers = new Set([shim.pid, process.pid]);
    const parentOf = (pid: number) => this.#byPid.get(pid)?.parent ?? 0;
    for (let pid = parentOf(command.pid); pid > 1 && !keepers.has(pid); pid = parentOf(pid)) keepers.add(pid);
    return keepers;
  }

  /** The id of the Rouse process that this one descends from, according to its environment. */
  markOf(process: ProcStat): string | undefined {
    const key = keyOf(process);
    if (marks.has(key)) return marks.get(key);
    const mark = markOf(process.pid);
    if (process.environmentAt !== '0') marks.set(key, mark);
    return mark;
  }

  /** All marked processes, by their mark. */
  marked(): Promise<ReadonlyMap<string, readonly ProcStat[]>> {
    return (this.#marked ??= this.#readMarks());
  }

  async #readMarks(): Promise<ReadonlyMap<string, readonly ProcStat[]>> {
    const marked = new Map<string, ProcStat[]>();
    await inPortions(this.all, (process) => {
      const mark = this.markOf(process);
      if (mark !== undefined) push(marked, mark, process);
    });
    return marked;
  }
}

/** A command leads its session, or in a terminal its parent does; just after the fork it is still in the shim's. */
const ownSession = (command: ProcStat): number | undefined =>
  command.session === command.pid || command.session === command.parent ? command.session : undefined;

export async function takeCensus(): Promise<Census> {
  const all: ProcStat[] = [];
  await inPortions(await everyPid(), (pid) => {
    const process = statOf(pid);
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

/** Makes one reading of any number that are requested at once. Between two it pauses for as long as the first took. */
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

function push<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
