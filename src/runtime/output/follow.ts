/** Output as a stream: all that there is at this moment, or as it comes until the process ends. */
import { pause, type Clock } from '../../ports/clock.js';
import { unfinishedCharacter } from '../../domain/output/text.js';
import type { Growth } from './growth.js';
import type { OutputReader, Stretch } from './output.js';
import { PAGE_BYTES, type OutputPage } from '../../contract/output.js';
import { isRefusal, type Refusal } from '../../contract/refusal.js';
import type { ProcessRecord } from '../../ports/store.js';

const STRETCH_BYTES = 262_144;
/** An unfinished line is shown when nothing came for this long, so that a prompt is seen. */
const QUIET_MS = 100;
const LOOK_AGAIN_MS = 1_000;
const NEWLINE = 10;

/** All that there is at this moment, from the first byte on, in pages. */
export async function* wholeOutput(
  reader: OutputReader,
  current: () => Promise<ProcessRecord | undefined>,
): AsyncGenerator<OutputPage | Refusal> {
  for (let at = 0, end = Infinity; at < end;) {
    // Read for every page: what was whole a moment ago may have been released since.
    const record = await current();
    if (!record) return;
    const page = await reader.page(record, { offset: at, limit: PAGE_BYTES });
    if (isRefusal(page)) return yield page;
    if (page.to === at) return;
    yield page;
    at = page.to;
    end = Math.min(end, page.size);
  }
}

/** What following needs to know of a process at each moment. */
export type Followed = {
  readonly current: () => Promise<ProcessRecord | undefined>;
  /** Undefined while it is starting, and when it has ended. */
  readonly growth: () => Growth | undefined;
};

/** As it comes, from an offset on. Ends when the process has ended and all was read, when the signal is aborted, or with the refusal of the output. */
export async function* follow(
  clock: Clock,
  reader: OutputReader,
  followed: Followed,
  offset: number,
  signal: AbortSignal,
): AsyncGenerator<Stretch | Refusal> {
  using news = new News(clock, followed.growth, signal);
  for (let at = offset; !signal.aborted;) {
    // Read before the output: what is read after the end was seen is all there will be.
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

/**
 * Cuts what comes into whole lines, so that a secret is not shown half before its other half has come; after a short
 * quiet also what is there of an unfinished line, but never half a character.
 */
export async function* byLines(
  clock: Clock,
  stretches: AsyncGenerator<Stretch | Refusal>,
): AsyncGenerator<Stretch | Refusal> {
  let held: Stretch | undefined;
  for (let coming = stretches.next(); ;) {
    const next = await (held ? Promise.race([coming, quiet(clock)]) : coming);
    if (next !== 'quiet') {
      if (next.done) break;
      const { value } = next;
      if (isRefusal(value)) return yield value;
      // Nothing completes a line that is cut by the gap.
      if (held && value.gap) yield held;
      held = held && !value.gap ? joinedWith(held, value) : value;
      coming = stretches.next();
    }
    const [ready, rest] = split(held, next === 'quiet');
    if (ready) yield ready;
    held = rest;
  }
  if (held) yield held;
}

/** What may be shown now, and what has to wait for more. */
function split(held: Stretch | undefined, isQuiet: boolean): [ready?: Stretch, rest?: Stretch] {
  if (!held) return [];
  const { bytes, to } = held;
  const lines = bytes.lastIndexOf(NEWLINE) + 1;
  const end =
    lines > 0 || (!isQuiet && bytes.length < STRETCH_BYTES) ? lines : bytes.length - unfinishedCharacter(bytes);
  if (end === 0) return [undefined, held];
  if (end === bytes.length) return [held];
  const middle = to - (bytes.length - end);
  return [
    { ...held, bytes: bytes.subarray(0, end), to: middle },
    { bytes: bytes.subarray(end), from: middle, to, size: held.size },
  ];
}

const joinedWith = (held: Stretch, { bytes, to, size }: Stretch): Stretch => ({
  ...held,
  bytes: Buffer.concat([held.bytes, bytes]),
  to,
  size,
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
