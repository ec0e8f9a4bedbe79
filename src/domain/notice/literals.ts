/**
 * Many literals, looked for at once.
 *
 *   … 2 0 0   O K   t i m e = 1 2 … ──▶ a window as long as the shortest literal is moved over the bytes; its last two
 *             └───window──┘             bytes tell how far it may jump (Wu and Manber's table)
 *
 *   1. `suspect` looks at a few bytes and may be wrong, but only in one way: it never passes over a literal.
 *   2. `first` is exact, and takes one step per byte for any literals and bytes (Aho and Corasick's automaton).
 */

export class Literals {
  readonly #window: number;
  /** How far the window may jump, by the two bytes at its end. */
  readonly #jumps: Uint8Array;
  /** Whether a literal begins with these two bytes. */
  readonly #beginnings = new Uint8Array(65_536);
  readonly #automaton: Automaton;
  readonly longest: number;

  constructor(literals: readonly Uint8Array[]) {
    const lengths = literals.map(({ length }) => length);
    this.longest = Math.max(0, ...lengths);
    this.#window = Math.min(200, ...lengths);
    this.#jumps = jumps(literals, this.#window);
    for (const [first = 0, second = 0] of literals) this.#beginnings[(first << 8) | second] = 1;
    this.#automaton = new Automaton(literals);
  }

  /** A place in [from, to) whose line may hold a literal, while nothing before that line does; `to` if none. Needs literals of two bytes or more. */
  suspect(bytes: Uint8Array, from: number, to: number): number {
    const jumps = this.#jumps;
    const back = this.#window - 1;
    for (let end = from + back; end < to;) {
      const jump = jumps[((bytes[end - 1] ?? 0) << 8) | (bytes[end] ?? 0)] ?? 0;
      if (jump > 0) end += jump;
      else if (this.#beginnings[((bytes[end - back] ?? 0) << 8) | (bytes[end - back + 1] ?? 0)] === 1) return end;
      else end++;
    }
    return to;
  }

  /** Which literal of those in [from, to) comes first in the list, or -1. */
  first(bytes: Uint8Array, from: number, to: number): number {
    return this.#automaton.first(bytes, from, to);
  }
}

/** A pair that no literal holds lets the window jump past it; one that a literal holds, until the two lie together. */
function jumps(literals: readonly Uint8Array[], window: number): Uint8Array {
  const table = new Uint8Array(65_536).fill(window - 1);
  for (const literal of literals)
    for (let at = 1; at < window; at++) {
      const pair = ((literal[at - 1] ?? 0) << 8) | (literal[at] ?? 0);
      table[pair] = Math.min(table[pair] ?? 0, window - 1 - at);
    }
  return table;
}

const NONE = 0x7fff_ffff;

/**
 * Aho and Corasick's automaton over bytes: one step per byte, whatever the literals are.
 *
 * A state is what was read of some literal; `next` has the following state for each state and class of bytes, with
 * failures resolved. All bytes that occur in no literal are one class, so the table stays small.
 */
class Automaton {
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
