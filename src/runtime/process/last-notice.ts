/**
 * What is owed for the end of a process, worked out in its turn and stored with the end (N1, W6).
 *
 *   notify ──▶ the completion
 *   watch  ──▶ the rest of the output is searched, up to the size that it had at the end
 *                ├─ something matched, or was held back ──▶ one last match, which reports the end as well
 *                ├─ a part could not be searched ─────────▶ the completion, which says so
 *                └─ neither ─────────────────────────────▶ nothing
 *
 * The size is fixed before, so that a grandchild that writes on makes it no longer. After a crash all of it is done again.
 */
import type { Cause } from '../../contract/notice.js';
import { isRefusal } from '../../contract/refusal.js';
import type { ExcerptLimits } from '../../domain/output/excerpt.js';
import { beginning, joined, LineScan, type ScanMark } from '../../domain/notice/line-scan.js';
import { compileWatch } from '../../domain/notice/matcher.js';
import type { Ended } from '../../domain/process/process.js';
import type { Found } from '../../domain/notice/watch.js';
import type { ProcessChange, ProcessRecord } from '../../ports/store.js';
import { NOTHING_OWED, type Owing } from './ledger.js';
import type { Matches, Owned } from './matches.js';
import type { OutputReader } from '../output/output.js';
import type { Places } from '../output/places.js';
import { readOn, type Watching } from '../notice/watching.js';

export type LastNoticeParts = {
  readonly places: Places;
  readonly reader: OutputReader;
  readonly matches: Matches;
  readonly watching: Watching;
  readonly redact: (text: string) => string;
  /** How much of the output stands in the notice. */
  readonly tail: ExcerptLimits;
};

type Searched = { readonly found?: Found | undefined; readonly mark: ScanMark };

export class LastNotice {
  constructor(readonly parts: LastNoticeParts) {}

  async of(record: ProcessRecord, end: Ended, change: ProcessChange): Promise<Owing> {
    const { session } = record;
    if (!session) return NOTHING_OWED;
    const owner = { ...record, session };
    if (record.notifyOnComplete) return { owes: [await this.#completion(owner, end, change)] };
    if (record.watchPatterns.length === 0 || record.watch?.state.kind === 'ended') return NOTHING_OWED;
    return this.#watched(owner, end, change);
  }

  async #watched(record: Owned, end: Ended, change: ProcessChange): Promise<Owing> {
    this.parts.watching.stop(record.id);
    const { found, mark } = await this.#search(record, change.outputBytes ?? 0);
    const { state, last } = this.parts.matches.atTheEnd(record, found);
    const damaged = change.damage !== undefined || record.damage !== undefined;
    const unsearched = mark.skipped ?? (damaged ? 0 : undefined);
    const watch = { state, mark };
    if (last?.cause.kind === 'watch_match') {
      const cause = { ...last.cause, ...(await this.#ending(record, end, change)), ...given({ unsearched }) };
      return { watch, owes: [{ ...last, cause }] };
    }
    return unsearched === undefined
      ? { watch, owes: [] }
      : { watch, owes: [await this.#completion(record, end, change, unsearched)] };
  }

  /** In pieces, so that others have their turns in between. */
  async #search(record: ProcessRecord, size: number): Promise<Searched> {
    const { id, watchPatterns, released, watch } = record;
    const start = watch?.mark ?? beginning;
    const matcher = compileWatch(watchPatterns);
    if (isRefusal(matcher)) return { mark: { ...start, skipped: (start.skipped ?? 0) + size - start.position } };
    const place = this.parts.places.of(record);
    const scan = new LineScan(matcher, start, this.parts.redact);
    let found: Found | undefined;
    for (let at = start.position; ;) {
      const next = await readOn(place, id, { at, upTo: size }, () => released);
      if (!next) break;
      found = joined(found, scan.feed(next.bytes, next.from));
      at = next.from + next.bytes.length;
    }
    found = joined(found, scan.close(size));
    return { found, mark: scan.mark };
  }

  async #completion(record: Owned, end: Ended, change: ProcessChange, unsearched?: number) {
    const { id: process, session, command, name, watch } = record;
    const cause: Cause = {
      kind: 'completion',
      process,
      command,
      ...(name && { name }),
      ...(await this.#ending(record, end, change)),
      heldBack: watch?.state.kind === 'ended' ? watch.state.heldBack : 0,
      ...given({ unsearched }),
    };
    return { session, process, number: 0, cause };
  }

  async #ending(record: ProcessRecord, { end, endedAt }: Ended, change: ProcessChange) {
    const output = await this.parts.reader.tail({ ...record, ...change }, this.parts.tail);
    return { end, startedAt: record.startedAt, endedAt: Math.round(endedAt), output };
  }
}

const given = ({ unsearched }: { readonly unsearched: number | undefined }) =>
  unsearched === undefined ? {} : { unsearched };
