/**
 * The line to a host that may go away and come back, at another address even. What is done over it is done again from
 * where it was: a process does not care how many hosts have watched it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { HostUnreachable, RouseProblem, type RouseClient } from '../../client/client.js';
import { say, type Caller } from '../caller.js';
import { answeringHost, clientOf } from './host.js';
import { errno } from '../../errno.js';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

export class Line {
  #client: RouseClient;
  #restoring: Promise<void> | undefined;

  /** Throws `NoHost` when there is none to begin with: only what has begun is worth waiting for. */
  constructor(
    readonly caller: Caller,
    readonly signal?: AbortSignal,
    readonly tell = (sentence: string) => say(caller, sentence),
  ) {
    this.#client = clientOf(caller);
  }

  get client(): RouseClient {
    return this.#client;
  }

  /** Does it, again after each time the host went away, until it is done. Only for what may be done twice. */
  async persist<Result>(work: (client: RouseClient) => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await work(this.#client);
      } catch (error) {
        await this.restore(error);
      }
    }
  }

  /** Over when a host answers again, or when the line is let go. Whatever is not a cut line is thrown on. */
  async restore(error: unknown): Promise<void> {
    if (!isCut(error) || this.signal?.aborted) throw error;
    this.#restoring ??= this.#answered().finally(() => (this.#restoring = undefined));
    await this.#restoring;
  }

  async #answered(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS, told = false; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
      await sleep(pauseMs, undefined, { ...(this.signal && { signal: this.signal }) }).catch(() => undefined);
      if (this.signal?.aborted) return;
      const client = await answeringHost(this.caller);
      if (client) {
        this.#client = client;
        return;
      }
      if (!told) this.tell('host gone, waiting');
      told = true;
    }
  }
}

/** The host is away or is going; as opposed to: it answered, and we do not like the answer. */
export const isCut = (error: unknown): boolean =>
  error instanceof HostUnreachable ||
  isStopping(error) ||
  // What fetch throws when an answer breaks off in the middle.
  (error instanceof TypeError && error.message === 'terminated');

/** Nobody was there to take it, so that sending it again does not send it twice. */
export const neverArrived = (error: unknown): boolean =>
  isStopping(error) || (error instanceof HostUnreachable && errno(causeOf(error.cause)) === 'ECONNREFUSED');

const isStopping = (error: unknown): boolean => error instanceof RouseProblem && error.word === 'stopping';

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);
