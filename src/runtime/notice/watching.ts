/**
 * Watching the output of processes for their patterns.
 *
 *   output grows ──▶ read on ──▶ lines that match ──▶ watch machine ──▶ breaker ──▶ notices
 *
 *   1. State, position and notices are stored together, in the process's own turn: after its end nothing is.
 *   2. What was read and not stored is read again after a crash, and decided again in the same way.
 *   3. All matches of the host go through the breaker one after the other.
 */
import type { Clock } from '../../ports/clock.js';
import { beginning, LineScan, type ScanMark } from '../../domain/notice/line-scan.js';
import { compileWatch, type Matcher } from '../../domain/notice/matcher.js';
import type { Found } from '../../domain/notice/watch.js';
import type { ProcessRecord } from '../../ports/store.js';
import { Alarms } from '../alarms.js';
import type { Tell } from '../events.js';
import { RETRY_MS } from '../retry.js';
import type { Growth } from '../output/growth.js';
import { Wakes } from '../wakes.js';
import type { ProcessId } from '../../contract/ids.js';
import { isRefusal } from '../../contract/refusal.js';
import type { Released } from '../../domain/output/quota.js';
import type { Place } from '../../ports/place.js';

/** An unfinished line is searched when nothing came for this long, so that a prompt is seen. */
const QUIET_MS = 200;
/** At most this much is read again after a crash. */
const UNSTORED_BYTES = 8 * 1_048_576;

/** What a read came to, and how far everything is decided. */
export type Read = { readonly found?: Found; readonly mark: ScanMark };

/** Stores what was found, if the process has not ended. */
export type Report = (id: ProcessId, read: Read) => Promise<void>;

/** Where the output is, how it grows, and what is released of it by now. */
type Source = { readonly place: Place; readonly growth: Growth; readonly released: () => Released };

type Watched = Omit<Source, 'growth'> & {
  readonly matcher: Matcher;
  readonly following: Disposable;
  scan: LineScan;
  /** How far it was read, and what is stored of it. */
  read: number;
  stored: ScanMark;
  /** It was quiet when this much had been read. */
  quietAt?: number;
};

export class Watching {
  readonly #watched = new Map<ProcessId, Watched>();
  readonly #reads: Wakes<ProcessId>;
  readonly #alarms: Alarms<ProcessId>;

  constructor(
    readonly clock: Clock,
    readonly redact: (text: string) => string,
    readonly report: Report,
    readonly tell: Tell,
  ) {
    this.#alarms = new Alarms(clock);
    this.#reads = new Wakes(
      (id) => this.#readOn(id),
      (error) => tell({ kind: 'fault', during: 'watching output', error }),
    );
  }

  /** Continues where the process was watched before, or begins; does nothing for one that is not to be watched. */
  begin({ id, session, watchPatterns, watch }: ProcessRecord, { place, growth, released }: Source): void {
    if (!session || watchPatterns.length === 0 || watch?.state.kind === 'ended') return;
    const matcher = compileWatch(watchPatterns);
    if (isRefusal(matcher))
      return this.tell({ kind: 'fault', during: `watching ${id}`, error: new Error(matcher.why) });
    const stored = watch?.mark ?? beginning;
    const following = growth.follow(() => void this.#reads.wake(id));
    const scan = new LineScan(matcher, stored, this.redact);
    this.#watched.set(id, { place, matcher, following, released, scan, read: stored.position, stored });
    void this.#reads.wake(id);
  }

  stop(id: ProcessId): void {
    const watched = this.#watched.get(id);
    this.#watched.delete(id);
    watched?.following[Symbol.dispose]();
    this.#alarms.clear(id);
  }

  async stopAll(): Promise<void> {
    for (const id of this.#watched.keys()) this.stop(id);
    await this.#reads.quiet();
  }

  async #readOn(id: ProcessId): Promise<void> {
    for (let watched = this.#watched.get(id); watched; watched = this.#watched.get(id)) {
      const quiet = this.#hearQuiet(watched);
      const next = await readOn(watched.place, id, { at: watched.read, upTo: Infinity }, watched.released);
      const found = next ? watched.scan.feed(next.bytes, next.from) : quiet ? watched.scan.partial() : undefined;
      if (next) watched.read = next.from + next.bytes.length;
      if (found || watched.scan.mark.position - watched.stored.position > UNSTORED_BYTES)
        await this.#store(id, watched, found);
      if (!next) return quiet ? undefined : this.#awaitQuiet(id, watched);
    }
  }

  async #store(id: ProcessId, watched: Watched, found: Found | undefined): Promise<void> {
    const { mark } = watched.scan;
    try {
      await this.report(id, { mark, ...(found && { found }) });
      watched.stored = mark;
    } catch (error) {
      // Nothing of it is remembered: it is read and decided once more.
      watched.scan = new LineScan(watched.matcher, watched.stored, this.redact);
      watched.read = watched.stored.position;
      this.#wakeIn(RETRY_MS, id, watched);
      throw error;
    }
  }

  #awaitQuiet(id: ProcessId, watched: Watched): void {
    const { read } = watched;
    this.#wakeIn(QUIET_MS, id, watched, () => (watched.quietAt = read));
  }

  #wakeIn(ms: number, id: ProcessId, watched: Watched, first: () => void = () => undefined): void {
    if (this.#watched.get(id) !== watched) return;
    this.#alarms.set(id, ms, () => {
      first();
      void this.#reads.wake(id);
    });
  }

  /** Whether nothing has come since the quiet began. Asked once for each. */
  #hearQuiet(watched: Watched): boolean {
    const quiet = watched.quietAt === watched.read;
    delete watched.quietAt;
    return quiet;
  }
}

const READ_BYTES = 262_144;

/** Bytes of an output, and the offset at which they begin. */
export type Bytes = { readonly bytes: Uint8Array; readonly from: number };

/** The next bytes in [at, upTo) that are still there; undefined when there are none, or when they cannot be read. */
export async function readOn(
  place: Place,
  id: ProcessId,
  { at, upTo }: { readonly at: number; readonly upTo: number },
  released: () => Released,
): Promise<Bytes | undefined> {
  const hole = released();
  const from = at >= hole.from && at < hole.to ? hole.to : at;
  const to = Math.min(from + READ_BYTES, upTo, hole.from > from ? hole.from : upTo);
  const bytes = to > from ? await place.readOutput(id, from, to - from) : new Uint8Array();
  if (isRefusal(bytes) || bytes.length === 0) return undefined;
  // A hole is remembered before it is made: what has become part of one may have been read as zeros.
  const now = released();
  if (now.to > hole.to && now.from < from + bytes.length && from < now.to)
    return readOn(place, id, { at, upTo }, released);
  return { bytes, from };
}
