/**
 * Following a host across cuts.
 *
 *   listening ──cut, silent or stopping──▶ pausing ──▶ listening again from where it was ──▶ …
 *       ├── refused ──▶ throws
 *       └── complete, or aborted ──▶ returns
 *
 *   1. The position belongs to `listen`: called again, it continues behind what it has yielded.
 *   2. There is no last attempt. Pauses grow, with jitter, so that many clients do not come back at once.
 *   3. A host sends something at once and then every 10 s. 6 s without a first event, or 20 s without a later one, is a
 *      cut. The time that the consumer takes does not count.
 */
import { HostUnreachable, RouseProblem } from './transport.js';

/** The connection is gone; `attempt` counts the failures in a row, and the next try is made after `retryInMs`. */
export type Cut = {
  readonly kind: 'cut';
  readonly why: string;
  readonly attempt: number;
  readonly retryInMs: number;
};

export type RetryOptions = {
  readonly longestPauseMs?: number;
  /** Waits between two attempts, at most until the signal is aborted. */
  readonly pause?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Called for every cut, of a stream or of a request. */
  readonly onCut?: (cut: Cut) => void;
};

const FIRST_EVENT_MS = 6_000;
const SILENCE_MS = 20_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;

/** The host is away or stopping; as opposed to: it answered, and turned the request down. */
export const isCut = (error: unknown): boolean =>
  error instanceof HostUnreachable ||
  (error instanceof RouseProblem &&
    error.problem.status >= 500 &&
    // A problem without a word of ours comes from something between us and the host.
    (error.word === 'stopping' || error.word === 'unknown'));

/** Failures in a row, and the pauses they call for. One for all that a client does: any answer ends the outage. */
export class Outage {
  #failures = 0;

  constructor(readonly options: RetryOptions = {}) {}

  over(): void {
    this.#failures = 0;
  }

  /** Throws what is not a cut. */
  cut(error: unknown): Cut {
    if (!isCut(error)) throw error;
    const longest = this.options.longestPauseMs ?? LONGEST_PAUSE_MS;
    const most = Math.min(longest, FIRST_PAUSE_MS * 2 ** this.#failures++);
    const cut: Cut = {
      kind: 'cut',
      why: error instanceof Error ? error.message : String(error),
      attempt: this.#failures,
      retryInMs: most / 2 + (Math.random() * most) / 2,
    };
    this.options.onCut?.(cut);
    return cut;
  }

  pause({ retryInMs }: Cut, signal: AbortSignal | undefined): Promise<void> {
    return (this.options.pause ?? sleep)(retryInMs, signal);
  }
}

/** `listen` yields undefined for a sign of life that is no event, and returns when the stream is complete. */
export type Listen<Event> = (signal: AbortSignal) => AsyncGenerator<Event | undefined>;

export type Resuming = {
  readonly outage: Outage;
  readonly signal?: AbortSignal | undefined;
  /** False for a stream without heartbeats. */
  readonly heartbeats?: boolean;
};

export async function* resumed<Event>(
  listen: Listen<Event>,
  { outage, signal, heartbeats = true }: Resuming,
): AsyncGenerator<Event | Cut> {
  for (;;) {
    if (signal?.aborted) return;
    let error: unknown;
    try {
      for await (const event of heartbeats ? audible(listen, signal) : listen(signal ?? NEVER)) {
        outage.over();
        if (event !== undefined) yield event;
      }
      return;
    } catch (caught) {
      error = caught;
    }
    if (signal?.aborted) return;
    const cut = outage.cut(error);
    yield cut;
    await outage.pause(cut, signal);
  }
}

/** Repeats a request until a host answers it. Throws what is not a cut, and a cut after which it must not be repeated. */
export async function persist<Answer>(
  request: () => Promise<Answer>,
  { outage, signal, mayRepeat = isCut }: Omit<Resuming, 'heartbeats'> & { mayRepeat?: (error: unknown) => boolean },
): Promise<Answer> {
  for (;;)
    try {
      const answer = await request();
      outage.over();
      return answer;
    } catch (error) {
      if (signal?.aborted || !mayRepeat(error)) throw error;
      await outage.pause(outage.cut(error), signal);
      signal?.throwIfAborted();
    }
}

/** What `listen` yields, and a cut when it yields nothing for too long. */
async function* audible<Event>(listen: Listen<Event>, signal: AbortSignal | undefined): AsyncGenerator<Event> {
  const silence = new AbortController();
  const events = listen(AbortSignal.any([silence.signal, ...(signal ? [signal] : [])]));
  try {
    for (let limitMs = FIRST_EVENT_MS; ; limitMs = SILENCE_MS) {
      const tooLong = new HostUnreachable(`The host has sent nothing for ${limitMs / 1_000} s.`);
      const timer = setTimeout(() => silence.abort(tooLong), limitMs);
      const next = await events.next().finally(() => clearTimeout(timer));
      if (next.done) return;
      yield next.value as Event;
    }
  } finally {
    silence.abort();
    await events.return(undefined);
  }
}

const NEVER = new AbortController().signal;

const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    if (signal?.aborted) over();
    else signal?.addEventListener('abort', over);
  });
