/**
 * Measures JSON without parsing it. Parsing takes time for each level and each value, not for each byte: 4 MiB of
 * brackets stop a host for seconds, a string of 4 MiB does not.
 *
 * It reads bytes as they arrive, in any pieces. What is not JSON is measured too, and is left to the parser.
 */
const MOST_LEVELS = 32;
const MOST_VALUES = 20_000;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

export class JsonSize {
  #levels = 0;
  #values = 1;
  #inString = false;
  #escaped = false;

  /** Says what there is too much of, once there is. */
  add(bytes: Uint8Array): 'levels' | 'values' | undefined {
    for (const byte of bytes) {
      if (this.#inString) this.#inside(byte);
      else this.#between(byte);
      if (this.#levels > MOST_LEVELS) return 'levels';
      if (this.#values > MOST_VALUES) return 'values';
    }
    return undefined;
  }

  #inside(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  #between(byte: number): void {
    if (byte === QUOTE) this.#inString = true;
    else if (byte === COMMA) this.#values++;
    else if (OPENING.has(byte)) this.#levels++;
    else if (CLOSING.has(byte)) this.#levels--;
  }
}

export const LIMITS = { levels: MOST_LEVELS, values: MOST_VALUES } as const;
