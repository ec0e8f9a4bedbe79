import { setTimeout as pause } from 'node:timers/promises';

export { pause };

/** Looks every few milliseconds until there is something; fails after so long. */
export async function until<Fact>(
  what: string,
  look: () => Fact | undefined | false | Promise<Fact | undefined | false>,
  { everyMs = 2, withinMs = 30_000 } = {},
): Promise<Fact> {
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; await pause(everyMs)) {
    const fact = await look();
    if (fact !== undefined && fact !== false) return fact;
  }
  throw new Error(`Waited ${withinMs} ms in vain for ${what}.`);
}

/** Facts that come once each, whether they are asked for before or after they come. */
export class Arrivals<Key, Fact> {
  readonly #come = new Map<Key, Fact>();
  readonly #asked = new Map<Key, ((fact: Fact) => void)[]>();

  arrive(key: Key, fact: Fact): void {
    if (this.#come.has(key)) return;
    this.#come.set(key, fact);
    for (const tell of this.#asked.get(key) ?? []) tell(fact);
  }

  of(key: Key): Promise<Fact> {
    const come = this.#come.get(key);
    if (come !== undefined) return Promise.resolve(come);
    return new Promise((resolve) => this.#asked.set(key, [...(this.#asked.get(key) ?? []), resolve]));
  }
}

/** Does the work for 0 … count-1, so many at a time. */
export async function inLanes(count: number, lanes: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
