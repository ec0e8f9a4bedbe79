/** All items of one kind: read as a list, then updated one by one. */
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { reasonOf } from './host';
import { showMessage } from './messages';
import { line, readWhenOpen } from './live';

const AGAIN_MS = 5_000;

export class Collection<Id extends string, Item extends { readonly id: Id }> {
  readonly #items = signal<ReadonlyMap<Id, Item>>(new Map());
  /** False until the first list has arrived. */
  readonly known = signal(false);
  readonly all: ReadonlySignal<readonly Item[]> = computed(() => [...this.#items.value.values()]);
  /** Items put while a list is being read; they are newer than the list. */
  #since: Map<Id, Item> | undefined;

  constructor(
    readonly list: () => Promise<readonly Item[]>,
    /** Converts an item before it is kept. */
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

  /** Adds items that are not known yet; known ones are newer. */
  learn(items: readonly Item[]): void {
    for (const item of items) if (!this.get(item.id)) this.put(item);
  }

  /** Returns a function that stores the answer to a request, unless a newer version arrived meanwhile. */
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
      // A newer read has started.
      if (this.#since !== since) return;
      for (const [id, item] of since) items.set(id, item);
      this.#items.value = items;
      this.known.value = true;
    } catch (error) {
      if (this.#since !== since) return;
      // If the stream is down, it shows that itself and reads everything again when it opens.
      if (line.peek().kind !== 'open') return;
      showMessage({ tone: 'trouble', text: reasonOf(error) });
      setTimeout(() => this.#since === since && void this.read(), AGAIN_MS);
    }
  }
}
