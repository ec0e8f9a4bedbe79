/**
 * Aho and Corasick's automaton over bytes: one step a byte, whatever the literals are.
 *
 * A state is what has been read of some literal; `next` holds for each state and each class of bytes the state behind
 * it, failures worked in. Bytes that stand in no literal are one class, so that the table stays small.
 */
const NONE = 0x7fff_ffff;

export class Automaton {
  readonly #classOf: Uint16Array;
  readonly #bits: number;
  readonly #next: Uint16Array;
  /** The first literal of the list that ends in this state. */
  readonly #found: Int32Array;

  constructor(literals: readonly Uint8Array[]) {
    this.#classOf = classes(literals);
    this.#bits = Math.ceil(Math.log2(Math.max(...this.#classOf) + 1));
    const states = 1 + literals.reduce((sum, { length }) => sum + length, 0);
    this.#next = new Uint16Array(states << this.#bits);
    this.#found = new Int32Array(states).fill(NONE);
    this.#plant(literals);
    this.#workInFailures();
  }

  /** Which literal of those in [from, to) comes first in the list, or -1. */
  first(bytes: Uint8Array, from: number, to: number): number {
    const [classOf, bits, next, found] = [this.#classOf, this.#bits, this.#next, this.#found];
    let lowest = NONE;
    let state = 0;
    for (let at = from; at < to && lowest > 0; at++) {
      state = next[(state << bits) | (classOf[bytes[at] ?? 0] ?? 0)] ?? 0;
      const here = found[state] ?? NONE;
      if (here < lowest) lowest = here;
    }
    return lowest === NONE ? -1 : lowest;
  }

  #plant(literals: readonly Uint8Array[]): void {
    let states = 1;
    for (const [index, literal] of literals.entries()) {
      let state = 0;
      for (const byte of literal) {
        const edge = this.#edge(state, this.#classOf[byte] ?? 0);
        state = this.#next[edge] ||= states++;
      }
      this.#found[state] = Math.min(index, this.#found[state] ?? NONE);
    }
  }

  /** Breadth first, so that the state to fall back to is always finished before those that fall back to it. */
  #workInFailures(): void {
    const fallback = new Uint16Array(this.#found.length);
    const reached = [0];
    for (const state of reached)
      for (let byteClass = 0; byteClass < 1 << this.#bits; byteClass++) {
        const edge = this.#edge(state, byteClass);
        const behind = this.#next[edge] ?? 0;
        const instead = state === 0 ? 0 : (this.#next[this.#edge(fallback[state] ?? 0, byteClass)] ?? 0);
        if (behind === 0) this.#next[edge] = instead;
        else {
          fallback[behind] = instead;
          this.#found[behind] = Math.min(this.#found[behind] ?? NONE, this.#found[instead] ?? NONE);
          reached.push(behind);
        }
      }
  }

  #edge(state: number, byteClass: number): number {
    return (state << this.#bits) | byteClass;
  }
}

/** Bytes that stand in some literal have a class each; all others share class 0. */
function classes(literals: readonly Uint8Array[]): Uint16Array {
  const classOf = new Uint16Array(256);
  let known = 0;
  for (const literal of literals) for (const byte of literal) classOf[byte] ||= ++known;
  return classOf;
}
