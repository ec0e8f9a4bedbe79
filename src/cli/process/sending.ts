/** Input on its way to a process: in order, and never twice. */
import { RouseProblem } from '../../client/client.js';
import { isCut, neverArrived, type Line } from '../host/line.js';

/** The host takes at most 1 MiB at a time. */
const MOST_CHARACTERS = 262_144;

/** When the host goes away in the middle nobody knows what arrived: it is then said, and not sent again. */
export async function send(line: Line, id: string, text: string): Promise<void> {
  for (let at = 0; at < text.length; at += MOST_CHARACTERS)
    await sendPart(line, id, text.slice(at, at + MOST_CHARACTERS));
}

async function sendPart(line: Line, id: string, text: string): Promise<void> {
  for (;;) {
    try {
      await line.client.write(id, text);
      return;
    } catch (error) {
      await line.restore(error);
      if (neverArrived(error)) continue;
      line.tell('The host went away while input was on its way: the last of it may be missing.');
      return;
    }
  }
}

/** Sends what is typed one request after the other; what is typed meanwhile goes along with the next. */
export class Keys {
  #waiting = '';
  #sending: Promise<void> | undefined;

  constructor(
    readonly line: Line,
    readonly id: string,
  ) {}

  type(text: string): void {
    this.#waiting += text;
    this.#sending ??= this.#send().finally(() => (this.#sending = undefined));
  }

  /** Over when everything that was typed has been sent. */
  async sent(): Promise<void> {
    await this.#sending;
  }

  async #send(): Promise<void> {
    while (this.#waiting !== '') {
      const text = this.#waiting;
      this.#waiting = '';
      await send(this.line, this.id, text).catch((error: unknown) => this.#notSent(error));
    }
  }

  #notSent(error: unknown): void {
    if (this.line.signal?.aborted || isCut(error)) return;
    // Keys to a process that has just ended are nothing to speak of: its end is about to be told.
    if (error instanceof RouseProblem && error.word === 'already-ended') return;
    this.line.tell(error instanceof Error ? error.message : String(error));
  }
}
