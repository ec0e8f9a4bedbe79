/**
 * The line to a host that may go away and come back, at another address even. What is done over it is done again from
 * where it was: a process does not care how many hosts have watched it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { HostUnreachable, RouseProblem, type RouseClient } from '../client/client.js';
import { say, type Caller } from './caller.js';
import { answeringHost, clientOf } from './host.js';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

export class Line {
  #client: RouseClient;

  /** Throws `NoHost` when there is none to begin with: only what has begun is worth waiting for. */
  constructor(readonly caller: Caller) {
    this.#client = clientOf(caller);
  }

  get client(): RouseClient {
    return this.#client;
  }

  /** Does it, again after each time the host went away, until it is done. Only for what may be done twice. */
  async persist<Result>(work: (client: RouseClient) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    for (;;) {
      try {
        return await work(this.#client);
      } catch (error) {
        await this.restore(error, signal);
      }
    }
  }

  /** Over when a host answers again. Whatever is not a cut line is thrown on. */
  async restore(error: unknown, signal?: AbortSignal): Promise<void> {
    if (!isCut(error) || signal?.aborted) throw error;
    for (let pauseMs = FIRST_PAUSE_MS, told = false; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
      await sleep(pauseMs, undefined, signal && { signal });
      const client = await answeringHost(this.caller);
      if (client) {
        this.#client = client;
        return;
      }
      if (!told) say(this.caller, 'host gone, waiting');
      told = true;
    }
  }
}

/** The host is away or is going; as opposed to: it answered, and we do not like the answer. */
export const isCut = (error: unknown): boolean =>
  error instanceof HostUnreachable ||
  (error instanceof RouseProblem && error.word === 'stopping') ||
  // What fetch throws when an answer breaks off in the middle.
  (error instanceof TypeError && error.message === 'terminated');
