/** What the host has of one kind: read as a list, then kept true one by one. */
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { reasonOf } from './host';
import { say } from './messages';
import { readWhenOpen } from './live';

export class Collection<Id extends string, Item extends { readonly id: Id }> {
  readonly #items = signal<ReadonlyMap<Id, Item>>(new Map());
  /** False until the first list is here: an empty list and one that is not known yet are not the same. */
  readonly known = signal(false);
  readonly all: ReadonlySignal<readonly Item[]> = computed(() => [...this.#items.value.values()]);
  /** Put while a list is on its way: newer than what it holds. */
  #since: Map<Id, Item> | undefined;

  constructor(readonly list: () => Promise<readonly Item[]>) {
    readWhenOpen(() => void this.read());
  }

  get(id: Id | undefined): Item | undefined {
    return id && this.#items.value.get(id);
  }

  put(item: Item): void {
    this.#since?.set(item.id, item);
    this.#items.value = new Map(this.#items.value).set(item.id, item);
  }

  remove(ids: readonly Id[]): void {
    const left = new Map(this.#items.value);
    for (const id of ids) left.delete(id);
    this.#items.value = left;
  }

  async read(): Promise<void> {
    const since = (this.#since = new Map<Id, Item>());
    try {
      const items = new Map((await this.list()).map((item) => [item.id, item]));
      // Another reading has begun since, and will know more.
      if (this.#since !== since) return;
      for (const [id, item] of since) items.set(id, item);
      this.#items.value = items;
      this.known.value = true;
    } catch (error) {
      // The line says it too, and reads again when it is open; a refusal is worth a sentence.
      if (this.#since === since) say({ tone: 'trouble', text: reasonOf(error) });
    }
  }
}
