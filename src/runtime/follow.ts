/** The output of a process as it comes, from an offset up to the end of the process. */
import { pause, type Clock } from '../clock.js';
import { isRefusal, type Refusal } from '../contract/refusal.js';
import type { ProcessRecord } from '../store.js';
import type { Growth } from './growth.js';
import type { OutputReader, Stretch } from './output.js';

const STRETCH_BYTES = 262_144;
/** A line that is not finished is shown after so long a quiet, so that a prompt is seen. */
const QUIET_MS = 100;
const LOOK_AGAIN_MS = 1_000;
const NEWLINE = 10;

/** What following needs to know of a process at each moment. */
export type Followed = {
  readonly current: () => Promise<ProcessRecord | undefined>;
  /** Undefined while it is starting, and when it has ended. */
  readonly growth: () => Growth | undefined;
};

/** Ends when the process has ended and all is told, when the signal is aborted, or with the refusal that the output gives. */
export async function* follow(
  clock: Clock,
  reader: OutputReader,
  followed: Followed,
  offset: number,
  signal: AbortSignal,
): AsyncGenerator<Stretch | Refusal> {
  using news = new News(clock, followed.growth, signal);
  for (let at = offset; !signal.aborted;) {
    // Asked before reading: what is read after the end was seen is all there will be.
    const record = await followed.current();
    if (!record) return;
    const stretch = await reader.bytes(record, at, STRETCH_BYTES);
    if (isRefusal(stretch)) return yield stretch;
    if (stretch.to > at) yield stretch;
    else if (record.lifecycle.kind === 'ended') return;
    else await news.next();
    at = Math.max(at, stretch.to);
  }
}

/** Cuts what comes into whole lines, so that a secret is not shown half before its other half has come. */
export async function* byLines(
  clock: Clock,
  stretches: AsyncGenerator<Stretch | Refusal>,
): AsyncGenerator<Stretch | Refusal> {
  let held: Stretch | undefined;
  let coming = stretches.next();
  for (;;) {
    const next = await (held ? Promise.race([coming, quiet(clock)]) : coming);
    if (next === 'quiet') {
      if (held) yield held;
      held = undefined;
      continue;
    }
    if (next.done) break;
    coming = stretches.next();
    if (isRefusal(next.value)) {
      yield next.value;
      continue;
    }
    const joined: Stretch = held ? joinedWith(held, next.value) : next.value;
    const end = joined.bytes.lastIndexOf(NEWLINE) + 1;
    if (end === 0 && joined.bytes.length < STRETCH_BYTES) held = joined;
    else if (end === 0 || end === joined.bytes.length) {
      held = undefined;
      yield joined;
    } else {
      const rest = joined.bytes.length - end;
      yield { ...joined, bytes: joined.bytes.subarray(0, end), to: joined.to - rest };
      held = { ...joined, bytes: joined.bytes.subarray(end), from: joined.to - rest, released: 0 };
    }
  }
  if (held) yield held;
}

const joinedWith = (held: Stretch, next: Stretch): Stretch => ({
  bytes: Buffer.concat([held.bytes, next.bytes]),
  from: held.from,
  to: next.to,
  size: next.size,
  released: held.released + next.released,
});

const quiet = (clock: Clock): Promise<'quiet'> =>
  new Promise((resolve) => clock.alarm(QUIET_MS, () => resolve('quiet')));

/** `next` is over when there may be news since it was last over; every second it is, because a call may get lost. */
class News implements Disposable {
  #fresh = false;
  #over = new AbortController();
  #following: Disposable | undefined;
  readonly #ring = (): void => {
    this.#fresh = true;
    this.#over.abort();
  };

  constructor(
    readonly clock: Clock,
    readonly growth: () => Growth | undefined,
    readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', this.#ring);
  }

  async next(): Promise<void> {
    this.#following ??= this.growth()?.follow(this.#ring);
    if (!this.#fresh) await pause(this.clock, LOOK_AGAIN_MS, this.#over.signal);
    this.#fresh = false;
    this.#over = new AbortController();
  }

  [Symbol.dispose](): void {
    this.#following?.[Symbol.dispose]();
    this.signal.removeEventListener('abort', this.#ring);
  }
}
