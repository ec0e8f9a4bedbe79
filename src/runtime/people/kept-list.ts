/** A list that is kept in the store under a name and read from memory. */
import type { Durability, Store } from '../../ports/store.js';
import { SerialQueue } from '../serial-queue.js';

type Change<Item> = (all: readonly Item[]) => readonly Item[];

export class KeptList<Item> {
  #all: readonly Item[] = [];
  /** One change at a time, so that memory and store see them in the same order. */
  readonly #queue = new SerialQueue<'change'>();

  constructor(
    readonly store: Store,
    readonly name: string,
  ) {}

  get all(): readonly Item[] {
    return this.#all;
  }

  async recall(): Promise<void> {
    this.#all = ((await this.store.values.get(this.name)) ?? []) as readonly Item[];
  }

  /** `change` runs twice: on what is stored, and on what memory holds by then. */
  change(change: Change<Item>, durability?: Durability): Promise<void> {
    return this.#queue.run('change', async () => {
      await this.store.transact(({ values }) => values.put(this.name, change(this.#all)), durability);
      this.changeInMemory(change);
    });
  }

  /** Stored with the next change, whenever that is. */
  changeInMemory(change: Change<Item>): void {
    this.#all = change(this.#all);
  }
}
