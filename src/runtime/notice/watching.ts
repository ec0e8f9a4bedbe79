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
import { Drains } from '../drains.js';
import type { ProcessId } from '../../contract/ids.js';
import { isRefusal } from '../../contract/refusal.js';
import { firstKept } from '../../domain/output/quota.js';
import type { OutputReader } from '../output/output.js';

/** An unfinished line is searched when nothing came for this long, so that a prompt is seen. */
const QUIET_MS = 200;
/** At most this much is read again after a crash. */
const UNSTORED_BYTES = 8 * 1_048_576;

export const READ_BYTES = 262_144;

/** What a read came to, and how far everything is decided. */
export type Read = { readonly found?: Found; readonly mark: ScanMark };

export type WatchingParts = {
  readonly reader: OutputReader;
  readonly clock: Clock;
  /** Stores what was found, if the process has not ended. */
  readonly report: (id: ProcessId, read: Read) => Promise<void>;
  readonly tell: Tell;
};

type Watched = {
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
  readonly #reads: Drains<ProcessId>;
  readonly #alarms: Alarms<ProcessId>;

  constructor(readonly parts: WatchingParts) {
    this.#alarms = new Alarms(parts.clock);
    this.#reads = new Drains(
      (id) => this.#readOn(id),
      (error) => parts.tell({ kind: 'fault', during: 'watching output', error }),
    );
  }

  /** Continues where the process was watched before, or begins; does nothing for one that is not to be watched. */
  begin({ id, session, watchPatterns, watch }: ProcessRecord, growth: Growth): void {
    if (!session || watchPatterns.length === 0 || watch?.state.kind === 'ended') return;
    const matcher = compileWatch(watchPatterns);
    if (isRefusal(matcher))
      return this.parts.tell({ kind: 'fault', during: `watching ${id}`, error: new Error(matcher.why) });
    const stored = watch?.mark ?? beginning;
    const following = growth.follow(() => void this.#reads.wake(id));
    this.#watched.set(id, { matcher, following, scan: this.#scanFrom(stored, matcher), read: stored.position, stored });
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
      const next = await this.#next(id, watched.read);
      const found = next ? watched.scan.feed(next.bytes, next.from) : quiet ? watched.scan.partial() : undefined;
      if (next) watched.read = next.from + next.bytes.length;
      if (found || watched.scan.mark.position - watched.stored.position > UNSTORED_BYTES)
        await this.#store(id, watched, found);
      if (!next) return quiet ? undefined : this.#awaitQuiet(id, watched);
    }
  }

  /** The next bytes that are still there; none when there are none, or when they cannot be read. */
  async #next(id: ProcessId, at: number): Promise<{ readonly bytes: Uint8Array; readonly from: number } | undefined> {
    const { reader } = this.parts;
    const record = reader.current(id);
    const stretch = record && (await reader.bytes(record, at, READ_BYTES));
    if (!stretch || isRefusal(stretch) || stretch.bytes.length === 0) return undefined;
    return { bytes: stretch.bytes, from: firstKept(stretch) };
  }

  #scanFrom(mark: ScanMark, matcher: Matcher): LineScan {
    return new LineScan(matcher, mark, this.parts.reader.redactor.redact);
  }

  async #store(id: ProcessId, watched: Watched, found: Found | undefined): Promise<void> {
    const { mark } = watched.scan;
    try {
      await this.parts.report(id, { mark, ...(found && { found }) });
      watched.stored = mark;
    } catch (error) {
      // Nothing of it is remembered: it is read and decided once more.
      watched.scan = this.#scanFrom(watched.stored, watched.matcher);
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
