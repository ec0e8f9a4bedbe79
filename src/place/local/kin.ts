/** Who descends from whom, among the living as they were read once. */
import type { Identity, Owned } from '../../domain/process/process.js';
import { thisBoot, type Living } from './living.js';

export class Kin {
  readonly #living: ReadonlyMap<number, Living>;
  readonly #children = new Map<number, number[]>();
  readonly #sessions = new Map<number, number[]>();

  constructor(readonly all: readonly Living[]) {
    this.#living = new Map(all.map((process) => [process.pid, process]));
    for (const { pid, parent, session } of all) {
      push(this.#children, parent, pid);
      push(this.#sessions, session, pid);
    }
  }

  of(pid: number): Living | undefined {
    return this.#living.get(pid);
  }

  /** Who lived under this identity when they were read. */
  alive({ pid, startTime, boot }: Identity): Living | undefined {
    const process = this.#living.get(pid);
    return boot === thisBoot && process?.startTime === startTime ? process : undefined;
  }

  /** These and all that they started. */
  descendants(...roots: readonly number[]): readonly number[] {
    const found = new Set(roots);
    // What is added while a set is walked through is walked through too.
    for (const pid of found) for (const child of this.#children.get(pid) ?? []) found.add(child);
    return [...found];
  }

  /** All that a command started, as far as parents and its session tell; its keepers may be among them. */
  tree({ command: identity }: Owned): readonly number[] {
    const command = this.alive(identity);
    if (!command) return [];
    const session = ownSession(command);
    return [...this.descendants(command.pid), ...(session === undefined ? [] : (this.#sessions.get(session) ?? []))];
  }

  /** The shim, and between it and the command what keeps a terminal: they must live to tell the end. */
  keepers({ shim, command }: Owned): ReadonlySet<number> {
    const keepers = new Set([shim.pid, process.pid]);
    for (
      let pid = this.#living.get(command.pid)?.parent;
      pid !== undefined && pid > 1 && !keepers.has(pid);
      pid = this.#living.get(pid)?.parent
    )
      keepers.add(pid);
    return keepers;
  }
}

/** A command leads its session, or in a terminal its parent does; just after the fork it is still in the shim's. */
const ownSession = (command: Living): number | undefined =>
  command.session === command.pid || command.session === command.parent ? command.session : undefined;

export function push<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
