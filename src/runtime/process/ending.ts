/**
 * What is stored together with the end of a process: how much it wrote, and the notices it owes (N1, W6).
 *
 *   notify ──▶ the completion
 *   watch  ──▶ the rest of the output is searched, up to the size that it had at the end
 *                ├─ something matched, or was held back ──▶ one last match, which reports the end as well
 *                ├─ a part could not be searched ─────────▶ the completion, which says so
 *                └─ neither ─────────────────────────────▶ nothing
 *
 * The size is fixed first, so a grandchild that keeps writing does not prolong the search. After a crash all of it is
 * done again.
 */
import type { Cause } from '../../contract/notice.js';
import { isRefusal } from '../../contract/refusal.js';
import type { ExcerptLimits } from '../../domain/output/excerpt.js';
import { firstKept, release, type Released } from '../../domain/output/quota.js';
import { beginning, joined, LineScan, type ScanMark } from '../../domain/notice/line-scan.js';
import { compileWatch } from '../../domain/notice/matcher.js';
import type { Ended } from '../../domain/process/process.js';
import type { Found } from '../../domain/notice/watch.js';
import type { ProcessChange, ProcessRecord } from '../../ports/store.js';
import type { OutputReader } from '../output/output.js';
import type { NewNotice } from '../notice/notices.js';
import { READ_BYTES, type Watching } from '../notice/watching.js';
import type { Change, LedgerParts } from './ledger.js';
import type { MatchNotices, Watched } from './match-notices.js';

export type EndingSettings = {
  readonly quotaBytes: number;
  /** How much of the output a notice shows. */
  readonly tail: ExcerptLimits;
};

export type EndingParts = Pick<LedgerParts, 'places'> & {
  readonly reader: OutputReader;
  readonly matches: MatchNotices;
  readonly watching: Watching;
  readonly settings: EndingSettings;
};

type Searched = { readonly found?: Found | undefined; readonly mark: ScanMark };

/** A process as it is once its end is stored. */
type EndedProcess = Watched & { readonly lifecycle: Ended };

export class Ending {
  constructor(readonly parts: EndingParts) {}

  /** `lastSize` is how large its output was when it was last looked at. */
  async of(record: ProcessRecord, end: Ended, lastSize: number): Promise<Change> {
    const change = await this.#measured(record, end, lastSize);
    const { session } = record;
    if (!session) return { change };
    const ended = { ...record, ...change, session, lifecycle: end };
    if (record.notifyOnComplete) return { change, owes: [await this.#completion(ended)] };
    if (record.watchPatterns.length === 0 || record.watch?.state.kind === 'ended') return { change };
    const { watch, owes } = await this.#watched(ended, record.released);
    return { change: { ...change, watch }, owes };
  }

  /** How much was written, or why that is unknown. */
  async #measured(record: ProcessRecord, lifecycle: Ended, lastSize: number): Promise<ProcessChange> {
    const place = this.parts.places.of(record);
    const size = await place.outputSize(record.id);
    if (isRefusal(size)) {
      const neverRan = record.lifecycle.kind === 'starting';
      const isNews = !neverRan && !record.damage;
      return { lifecycle, outputBytes: lastSize, ...(isNews && { damage: size.why }) };
    }
    const released = release(size, record.released, this.parts.settings.quotaBytes);
    const releases = released !== record.released && (await place.canRelease());
    return { lifecycle, outputBytes: size, ...(releases && { released }) };
  }

  /** `released` is what was released before the end: what goes with the end can still be read. */
  async #watched(ended: EndedProcess, released: Released) {
    this.parts.watching.stop(ended.id);
    const { found, mark } = await this.#search(ended, released);
    const { state, last } = this.parts.matches.atTheEnd(ended, found);
    const unsearched = mark.skipped ?? (ended.damage === undefined ? undefined : 0);
    return { watch: { state, mark }, owes: await this.#owed(ended, last, unsearched) };
  }

  async #owed(ended: EndedProcess, last: NewNotice | undefined, unsearched?: number): Promise<readonly NewNotice[]> {
    if (last?.cause.kind !== 'watch_match')
      return unsearched === undefined ? [] : [await this.#completion(ended, unsearched)];
    return [{ ...last, cause: { ...last.cause, ...(await this.#reported(ended, unsearched)) } }];
  }

  /** In pieces, so that others have their turns in between. */
  async #search(ended: EndedProcess, released: Released): Promise<Searched> {
    const { watchPatterns, watch, outputBytes: size = 0 } = ended;
    const start = watch?.mark ?? beginning;
    const matcher = compileWatch(watchPatterns);
    if (isRefusal(matcher)) return { mark: { ...start, skipped: (start.skipped ?? 0) + size - start.position } };
    const { reader } = this.parts;
    const scan = new LineScan(matcher, start, reader.redactor.redact);
    let found: Found | undefined;
    for await (const stretch of reader.stretches({ ...ended, released }, start.position, READ_BYTES))
      found = joined(found, scan.feed(stretch.bytes, firstKept(stretch)));
    found = joined(found, scan.close(size));
    return { found, mark: scan.mark };
  }

  async #completion(ended: EndedProcess, unsearched?: number): Promise<NewNotice> {
    const { id: process, session, command, name, watch } = ended;
    const cause: Cause = {
      kind: 'completion',
      process,
      command,
      ...(name && { name }),
      ...(await this.#reported(ended, unsearched)),
      heldBack: watch?.state.kind === 'ended' ? watch.state.heldBack : 0,
    };
    return { session, process, number: 0, cause };
  }

  /** What a notice says of the end. */
  async #reported(ended: EndedProcess, unsearched: number | undefined) {
    const { end, endedAt } = ended.lifecycle;
    return {
      end,
      startedAt: ended.startedAt,
      endedAt: Math.round(endedAt),
      output: await this.parts.reader.tail(ended, this.parts.settings.tail),
      ...(unsearched !== undefined && { unsearched }),
    };
  }
}
