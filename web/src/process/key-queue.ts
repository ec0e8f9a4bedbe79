/**
 * Sends what a person types into a terminal to the process.
 *
 *   1. Keys arrive in order: there is one request at a time.
 *   2. Keys typed within a few milliseconds, or during a request, are sent together.
 *   3. On a failure the error is shown once and all waiting keys are dropped: half a line that arrives later could do
 *      something unintended.
 */
const TOGETHER_MS = 4;
/** The most the host accepts in one request, in characters of at most four bytes. */
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
    // Do not split a surrogate pair.
    const whole = /[\ud800-\udbff]$/.test(keys) && keys.length < this.#waiting.length ? keys.slice(0, -1) : keys;
    this.#waiting = this.#waiting.slice(whole.length);
    return whole;
  }
}
