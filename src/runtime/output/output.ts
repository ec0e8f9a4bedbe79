/** Reading what processes wrote: by bytes, by lines, or live. */
import type { ProcessId } from '../../contract/ids.js';
import { isRefusal, type Refusal } from '../../contract/refusal.js';
import { PAGE_BYTES, type OutputPage, type OutputQuery } from '../../contract/output.js';
import type { Excerpt } from '../../contract/notice.js';
import { excerptOfOutput, type ExcerptLimits } from '../../domain/output/excerpt.js';
import { behindNewline, lastLinesStart, newlinesIn } from '../../domain/output/lines.js';
import { firstKept, pageAt, releasedBytes, type Extent } from '../../domain/output/quota.js';
import { REDACTED, type Redactor } from '../../domain/output/redaction.js';
import { restOfCharacter, stripAnsi, unfinishedCharacter } from '../../domain/output/text.js';
import type { ProcessRecord } from '../../ports/store.js';
import type { Places } from './places.js';

/** A page of output as bytes: those of the extent that are kept. */
export type Stretch = Extent & { readonly bytes: Uint8Array; readonly size: number };

/** What is read where nothing else is asked for, and for an excerpt. */
const SMALL_PAGE_BYTES = 65_536;
/** How far around a page secrets are looked for, so that one that is cut by its edge is still found. */
const MARGIN_BYTES = 8_192;
const SCAN_BYTES = 1_048_576;
const NEWLINE = 10;

export class OutputReader {
  constructor(
    readonly places: Places,
    readonly redactor: Redactor,
    /** The process as it is now, if it has not ended: its hole may grow while it is read. */
    readonly current: (id: ProcessId) => ProcessRecord | undefined,
  ) {}

  async size(record: ProcessRecord): Promise<number | Refusal> {
    return record.outputBytes ?? this.places.of(record).outputSize(record.id);
  }

  /** Beyond the end it is empty. */
  async bytes(record: ProcessRecord, offset: number, limit: number): Promise<Stretch | Refusal> {
    const size = await this.size(record);
    if (isRefusal(size)) return size;
    const extent = pageAt(offset, limit, size, record.released);
    const from = firstKept(extent);
    const bytes = await this.places.of(record).readOutput(record.id, from, extent.to - from);
    if (isRefusal(bytes)) return bytes;
    // A gap is stored before it is made: if none is stored now, what was read was whole.
    const released = this.current(record.id)?.released ?? record.released;
    if (released.to > record.released.to && from < released.to && extent.to > released.from)
      return this.bytes({ ...record, released }, offset, limit);
    return { ...extent, bytes, size };
  }

  async page(record: ProcessRecord, query: OutputQuery): Promise<OutputPage | Refusal> {
    if (query.line !== undefined || query.lines !== undefined) return this.#lines(record, query);
    const limit = Math.min(query.limit ?? SMALL_PAGE_BYTES, PAGE_BYTES);
    const stretch = await this.bytes(record, query.offset ?? 0, limit);
    return isRefusal(stretch) ? stretch : this.shown(record, stretch, query.plain ?? false);
  }

  /** The last lines. The limit cuts their beginning, so only the end is read, however long the output or a line is. */
  async lastLines(
    record: ProcessRecord,
    lines: number,
    { limit = PAGE_BYTES, plain = false } = {},
  ): Promise<OutputPage | Refusal> {
    const size = await this.size(record);
    if (isRefusal(size)) return size;
    const settled = { ...record, outputBytes: size };
    const earliest = Math.max(0, size - limit, Math.min(size, record.released.to));
    const stretch = await this.bytes(settled, earliest, size - earliest);
    if (isRefusal(stretch)) return stretch;
    const now = this.current(record.id);
    // Released while it was read.
    if ((stretch.gap || stretch.to < size) && now) return this.lastLines(now, lines, { limit, plain });
    const skipped = lastLinesStart(stretch.bytes, lines) ?? (earliest > 0 ? restOfCharacter(stretch.bytes) : 0);
    const last = { ...stretch, bytes: stretch.bytes.subarray(skipped), from: stretch.from + skipped };
    return this.shown(record, last, plain);
  }

  /** The last lines as people read them. Only the end is looked at, however long the output is. */
  async tail(record: ProcessRecord, limits: ExcerptLimits): Promise<Excerpt> {
    const size = await this.size(record);
    const from = isRefusal(size) ? 0 : Math.max(0, size - SMALL_PAGE_BYTES, Math.min(size, record.released.to));
    const stretch = isRefusal(size) ? size : await this.bytes(record, from, SMALL_PAGE_BYTES);
    const raw = isRefusal(stretch) ? '' : Buffer.from(stretch.bytes).toString('utf8');
    return excerptOfOutput(raw, this.redactor.redact, limits, from > 0);
  }

  /** The text of a stretch: its secrets redacted, no character cut. One that is still being written waits for its rest. */
  async shown(record: ProcessRecord, stretch: Stretch, plain: boolean): Promise<OutputPage> {
    const atEnd = stretch.to === stretch.size;
    const isFinal = (atEnd && record.lifecycle.kind === 'ended') || endsAtGap(record, stretch);
    const cut = isFinal ? 0 : unfinishedCharacter(stretch.bytes);
    const whole =
      cut > 0 && (atEnd || cut < stretch.bytes.length)
        ? { ...stretch, bytes: stretch.bytes.subarray(0, -cut), to: stretch.to - cut }
        : stretch;
    const text = await this.#redacted(record, whole);
    return {
      text: plain ? stripAnsi(text) : text,
      from: whole.from,
      to: whole.to,
      size: whole.size,
      released: whole.gap ? releasedBytes(whole.gap) : 0,
      ...(whole.gap && { gap: whole.gap }),
      ...(record.damage && { damage: record.damage }),
    };
  }

  /** Latin-1 makes a character of every byte, so that what is found in the text is found in the bytes. */
  async #redacted(record: ProcessRecord, { bytes, from, to }: Stretch): Promise<string> {
    const before = await this.#around(record, Math.max(0, from - MARGIN_BYTES), from);
    const after = await this.#around(record, to, to + MARGIN_BYTES);
    const window = Buffer.concat([before, bytes, after]);
    const start = before.length;
    const end = start + bytes.length;
    let text = '';
    let at = start;
    for (const span of this.redactor.spans(window.toString('latin1'))) {
      if (span.to <= start || span.from >= end) continue;
      text += window.toString('utf8', at, Math.max(at, span.from)) + REDACTED;
      at = Math.min(end, span.to);
    }
    return text + window.toString('utf8', at, end);
  }

  async #around(record: ProcessRecord, from: number, to: number): Promise<Uint8Array> {
    const { released } = record;
    const touchesHole = releasedBytes(released) > 0 && from < released.to && to > released.from;
    if (touchesHole || to <= from) return new Uint8Array();
    const bytes = await this.places.of(record).readOutput(record.id, from, to - from);
    return isRefusal(bytes) ? new Uint8Array() : bytes;
  }

  /**
   * Lines are counted over what is kept, and the gap ends a line. A negative line counts from the end. The limit may cut
   * the last line.
   */
  async #lines(
    record: ProcessRecord,
    { line = 0, lines = 200, limit = PAGE_BYTES, plain = false }: OutputQuery,
  ): Promise<OutputPage | Refusal> {
    const size = await this.size(record);
    if (isRefusal(size)) return size;
    const settled = { ...record, outputBytes: size };
    const totalLines = await this.#countLines(settled);
    const first = Math.min(totalLines, Math.max(0, line < 0 ? totalLines + line : line));
    const from = await this.#startOfLine(settled, first, 0);
    const to = await this.#startOfLine(settled, lines, from);
    const there = to - firstKept(pageAt(from, 0, size, record.released));
    const stretch = await this.bytes(settled, from, Math.min(there, limit, PAGE_BYTES));
    if (isRefusal(stretch)) return stretch;
    const isCut = stretch.to < to && !endsAtGap(record, stretch);
    const shown = await this.shown(record, stretch, plain);
    return { ...shown, line: first, lines: linesIn(stretch.bytes, isCut), totalLines };
  }

  async #countLines(record: ProcessRecord): Promise<number> {
    let lines = 0;
    let last = NEWLINE;
    for await (const { bytes, gap } of this.stretches(record, 0)) {
      lines += newlinesIn(bytes) + (gap && last !== NEWLINE ? 1 : 0);
      last = bytes.at(-1) ?? last;
    }
    return last === NEWLINE ? lines : lines + 1;
  }

  /** The offset at which the nth line begins, counted from another line's beginning. */
  async #startOfLine(record: ProcessRecord, nth: number, offset: number): Promise<number> {
    let left = nth;
    let last = NEWLINE;
    if (left === 0) return offset;
    for await (const { bytes, from, to, gap } of this.stretches(record, offset)) {
      if (gap && last !== NEWLINE && --left === 0) return from;
      const behind = behindNewline(bytes, left);
      if (behind !== undefined) return to - bytes.length + behind;
      left -= newlinesIn(bytes);
      last = bytes.at(-1) ?? last;
    }
    return record.outputBytes ?? 0;
  }

  /** All that is kept from an offset on. */
  async *stretches(record: ProcessRecord, offset: number, most = SCAN_BYTES): AsyncGenerator<Stretch> {
    for (let at = offset; at < (record.outputBytes ?? 0);) {
      const stretch = await this.bytes(record, at, most);
      if (isRefusal(stretch) || stretch.to === at) return;
      yield stretch;
      at = stretch.to;
    }
  }
}

const endsAtGap = ({ released }: ProcessRecord, { to }: Stretch): boolean =>
  releasedBytes(released) > 0 && to === released.from;

/** A cut line counts only where it is all there is: the next page begins with it, or else never gets past it. */
function linesIn(bytes: Uint8Array, isCut: boolean): number {
  const newlines = newlinesIn(bytes);
  const isUnfinished = bytes.length > 0 && bytes.at(-1) !== NEWLINE;
  return isUnfinished && (!isCut || newlines === 0) ? newlines + 1 : newlines;
}
