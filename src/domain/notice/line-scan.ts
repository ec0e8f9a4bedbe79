/**
 * The lines of an output that hold a pattern, as its bytes come in.
 *
 *   … whole lines, scanned where they lie │ the last one, not whole yet: kept, and joined with what comes next
 *                                         └ mark
 *
 *   1. However the bytes are cut into reads, the same lines are found.
 *   2. A line is found once: one that was reported while unfinished is not reported again when it is whole, nor after
 *      a restart from the mark.
 *   3. A match is made readable, redacted and then cut, in this order.
 */
import { shortened } from '../output/excerpt.js';
import { wholeLines, afterLine, beginsWithNewline, endsInReturn, firstEnd } from '../output/lines.js';
import { readable, decode } from '../output/text.js';
import type { Found, Match } from './watch.js';
import type { Matcher } from './matcher.js';

/** Where to continue after a restart. Plain data. */
export type ScanMark = {
  /** The first byte that has to be fed again. */
  readonly position: number;
  /** The offset at which the line of that byte begins: before it, when the line is longer than a piece. */
  readonly line: number;
  /** This line was reported already. */
  readonly reported: boolean;
  /** How many bytes before it were released before they could be searched. */
  readonly skipped?: number;
};

export const beginning: ScanMark = { position: 0, line: 0, reported: false };

/** Two findings, one behind the other, as one. */
export function joined(before: Found | undefined, after: Found | undefined): Found | undefined {
  if (!before || !after) return before ?? after;
  return { match: before.match, more: before.more + 1 + after.more, last: after.last ?? after.match };
}

/** Called for a line that holds a pattern; the piece is valid only while its bytes are being fed. */
type Report = (pattern: string, line: number, piece: () => Uint8Array) => void;

export class LineScan {
  readonly #matcher: Matcher;
  readonly #redact: (text: string) => string;
  readonly #last: UnfinishedLine;

  constructor(matcher: Matcher, mark: ScanMark, redact: (text: string) => string) {
    this.#matcher = matcher;
    this.#redact = redact;
    this.#last = new UnfinishedLine(matcher, mark);
  }

  /** All before it is decided: store it together with what became of the matches. */
  get mark(): ScanMark {
    return this.#last.mark;
  }

  /** Takes the next bytes. Where they do not follow the last ones (some were released), a line begins with them. */
  feed(bytes: Uint8Array, offset: number): Found | undefined {
    if (bytes.length === 0) return undefined;
    return this.#findings((report) => {
      if (offset !== this.#last.end) this.#last.skipTo(offset, report);
      const from = this.#last.finish(bytes, report);
      if (from === undefined) return;
      const to = wholeLines(bytes, from);
      this.#matcher.scan(bytes, from, to, (hit) =>
        report(hit.pattern, offset + hit.line, () => bytes.subarray(hit.from, hit.to)),
      );
      this.#last.begin(offset + to);
      this.#last.add(bytes.subarray(to), report);
    });
  }

  /** Searches the last line although it is not whole: a prompt, or a progress bar that does not move. */
  partial(): Found | undefined {
    return this.#findings((report) => this.#last.partial(report));
  }

  /** The output ends at this offset, and with it its last line; what lies before it and was not fed is gone. */
  close(size: number): Found | undefined {
    return this.#findings((report) => {
      if (size > this.#last.end) this.#last.skipTo(size, report);
      this.#last.close(report);
    });
  }

  #findings(look: (report: Report) => void): Found | undefined {
    let first: Reported | undefined;
    let last: Reported | undefined;
    let lines = 0;
    look((pattern, number, piece) => {
      lines += 1;
      last = { pattern, number, piece };
      first ??= last;
    });
    if (!first || !last) return undefined;
    return { match: this.#match(first), more: lines - 1, ...(lines > 1 && { last: this.#match(last) }) };
  }

  #match({ pattern, number, piece }: Reported): Match {
    return { pattern, text: excerpt(this.#redact(readable(decode(piece()))), pattern), number };
  }
}

type Reported = { readonly pattern: string; readonly number: number; readonly piece: () => Uint8Array };

const CHARACTERS = 2_000;
const LEAD = 200;

/** The beginning of the line or, if its pattern comes too late, the part around it. */
function excerpt(text: string, pattern: string): string {
  const at = text.indexOf(pattern);
  return at + pattern.length < CHARACTERS
    ? shortened(text, CHARACTERS)
    : shortened(`…${text.slice(Math.max(0, at - LEAD)).replace(/^[\udc00-\udfff]/, '')}`, CHARACTERS);
}

/**
 * A line whose end has not come yet.
 *
 *   line ·············· position ▓▓▓▓ kept ▓▓▓▓ end
 *
 *   1. No more than a piece is kept: when more comes, a full one is decided and only its overlap stays. Pieces are cut
 *      where they are cut in a line that came whole.
 *   2. A line is reported once, whole or not.
 *   3. `$` matches only where the line has really ended: a pause or the edge of a piece is no end.
 */
class UnfinishedLine {
  readonly #matcher: Matcher;
  #mark: ScanMark;
  #kept = new Uint8Array(0);
  #length = 0;
  /** A `\r` came last: the line is over, but a `\n` may still belong to its end. */
  #returned = false;

  constructor(matcher: Matcher, mark: ScanMark) {
    this.#matcher = matcher;
    this.#mark = mark;
  }

  get mark(): ScanMark {
    return this.#mark;
  }

  /** The offset of the byte that comes next. */
  get end(): number {
    return this.#mark.position + this.#length + Number(this.#returned);
  }

  begin(offset: number): void {
    const { skipped } = this.#mark;
    this.#mark = { position: offset, line: offset, reported: false, ...(skipped && { skipped }) };
    this.#length = 0;
    this.#returned = false;
  }

  /** The bytes up to this offset were released: what is kept is decided, and a line begins behind them. */
  skipTo(offset: number, report: Report): void {
    this.partial(report);
    this.#mark = { ...this.#mark, skipped: (this.#mark.skipped ?? 0) + Math.max(0, offset - this.end) };
    this.begin(offset);
  }

  /** Takes what belongs to this line, decides it when it is whole, and says where the next one begins in the bytes. */
  finish(bytes: Uint8Array, report: Report): number | undefined {
    const end = this.#returned ? 0 : firstEnd(bytes);
    if (end === undefined) {
      this.add(bytes, report);
      return undefined;
    }
    const next = this.#returned ? Number(beginsWithNewline(bytes)) : afterLine(bytes, end);
    this.add(bytes.subarray(0, end), report);
    this.#decide(report, true);
    return next;
  }

  /** Takes more of this line; a `\r` may come last. */
  add(bytes: Uint8Array, report: Report): void {
    this.#returned = endsInReturn(bytes);
    const to = bytes.length - Number(this.#returned);
    if (to > 0 && this.#kept.length === 0) this.#kept = new Uint8Array(this.#matcher.pieceBytes);
    for (let from = 0; from < to;) {
      if (this.#length === this.#kept.length) this.#dropPiece(report);
      const piece = bytes.subarray(from, Math.min(to, from + this.#kept.length - this.#length));
      this.#kept.set(piece, this.#length);
      this.#length += piece.length;
      from += piece.length;
    }
  }

  /** Decides what has come of the line, if anything has. A `\r` has ended it, whatever follows. */
  partial(report: Report): void {
    if (this.#length > 0 || this.#returned) this.#decide(report, this.#returned);
  }

  /** Nothing follows any more: what has come is the whole line, and the next one would begin behind it. */
  close(report: Report): void {
    if (this.#length > 0 || this.#returned) this.#decide(report, true);
    this.begin(this.end);
  }

  /** Reports the line if what is kept of it holds a pattern. */
  #decide(report: Report, ends: boolean): void {
    const { position, line, reported } = this.#mark;
    if (reported) return;
    const edges = { begins: position === line, ends };
    const pattern = this.#matcher.decide(this.#kept, 0, this.#length, edges);
    if (pattern === undefined) return;
    this.#mark = { ...this.#mark, reported: true };
    // A copy: what is kept changes before all of the bytes are fed.
    const piece = this.#kept.slice(0, this.#length);
    report(pattern, line, () => piece);
  }

  #dropPiece(report: Report): void {
    this.#decide(report, false);
    const dropped = this.#length - this.#matcher.overlap;
    this.#kept.copyWithin(0, dropped, this.#length);
    this.#mark = { ...this.#mark, position: this.#mark.position + dropped };
    this.#length = this.#matcher.overlap;
  }
}
