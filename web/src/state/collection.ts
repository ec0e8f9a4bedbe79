/** What the host has of one kind: read as a list, then kept true one by one. */
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { reasonOf } from './host';
import { showMessage } from './messages';
import { line, readWhenOpen } from './live';

const AGAIN_MS = 5_000;

export class Collection<Id extends string, Item extends { readonly id: Id }> {
  readonly #items = signal<ReadonlyMap<Id, Item>>(new Map());
  /** False until the first list is here: an empty list and one that is not known yet are not the same. */
  readonly known = signal(false);
  readonly all: ReadonlySignal<readonly Item[]> = computed(() => [...this.#items.value.values()]);
  /** Put while a list is on its way: newer than what it holds. */
  #since: Map<Id, Item> | undefined;

  constructor(
    readonly list: () => Promise<readonly Item[]>,
    /** How one that comes is kept. */
    readonly kept: (item: Item) => Item = (item) => item,
  ) {
    readWhenOpen(() => void this.read());
  }

  get(id: Id | undefined): Item | undefined {
    return id && this.#items.value.get(id);
  }

  put(given: Item): void {
    const item = this.kept(given);
    this.#since?.set(item.id, item);
    this.#items.value = new Map(this.#items.value).set(item.id, item);
  }

  /** Keeps what was asked for where it is not known yet: what is known is newer. */
  learn(items: readonly Item[]): void {
    for (const item of items) if (!this.get(item.id)) this.put(item);
  }

  /** Keeps the answer that will come, unless something else was heard of it meanwhile, which is newer. */
  asking(id: Id): (answer: Item) => void {
    const before = this.get(id);
    return (answer) => {
      if (this.get(id) === before) this.put(answer);
    };
  }

  remove(ids: readonly Id[]): void {
    const left = new Map(this.#items.value);
    for (const id of ids) left.delete(id);
    this.#items.value = left;
  }

  async read(): Promise<void> {
    const since = (this.#since = new Map<Id, Item>());
    try {
      const items = new Map((await this.list()).map((item) => [item.id, this.kept(item)]));
      // Another reading has begun since, and will know more.
      if (this.#since !== since) return;
      for (const [id, item] of since) items.set(id, item);
      this.#items.value = items;
      this.known.value = true;
    } catch (error) {
      if (this.#since !== since) return;
      // When the line is down it says so itself, and has everything read again when it opens.
      if (line.peek().kind !== 'open') return;
      showMessage({ tone: 'trouble', text: reasonOf(error) });
      setTimeout(() => this.#since === since && void this.read(), AGAIN_MS);
    }
  }
}
