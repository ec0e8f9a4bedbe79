/**
 * What a person types into a terminal, on its way to the process.
 *
 *   1. The order of the keys is the order in which they arrive: one request is on its way at a time.
 *   2. Keys that follow each other within a moment, or while a request is on its way, go together.
 *   3. What cannot arrive is told once and thrown away with all that waited behind it: half a line that comes later
 *      could do something that nobody meant.
 */
const TOGETHER_MS = 4;
/** What the host takes in one request, in characters of at most four bytes. */
const MOST = 262_144;

export class KeyQueue {
  #waiting = '';
  #busy = false;

  constructor(
    readonly send: (keys: string) => Promise<unknown>,
    readonly failed: (error: unknown) => void,
  ) {}

  type(keys: string): void {
    this.#waiting += keys;
    if (!this.#busy) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    try {
      await new Promise((resolve) => setTimeout(resolve, TOGETHER_MS));
      while (this.#waiting) await this.send(this.#take());
    } catch (error) {
      this.#waiting = '';
      this.failed(error);
    } finally {
      this.#busy = false;
    }
  }

  #take(): string {
    const keys = this.#waiting.slice(0, MOST);
    // No character is cut in two.
    const whole = /[\ud800-\udbff]$/.test(keys) && keys.length < this.#waiting.length ? keys.slice(0, -1) : keys;
    this.#waiting = this.#waiting.slice(whole.length);
    return whole;
  }
}
