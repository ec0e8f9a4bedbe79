/**
 * A line whose end has not come yet.
 *
 *   line ·············· position ▓▓▓▓ kept ▓▓▓▓ end
 *
 *   1. No more than a piece is kept: when more comes, a full one is decided and only its overlap stays. Pieces are cut
 *      where they are cut in a line that came whole.
 *   2. A line is told of once, whole or not.
 *   3. `$` matches only where the line has really ended: a pause or the edge of a piece is no end.
 */
import { afterLine, beginsWithNewline, endsInReturn, firstEnd } from '../output/lines.js';
import type { Matcher } from './matcher.js';

/** Where to go on after a restart. Plain data. */
export type ScanMark = {
  /** The first byte that has to be fed again. */
  readonly position: number;
  /** The offset at which the line of that byte begins: before it, when the line is longer than a piece. */
  readonly line: number;
  /** This line was told of already. */
  readonly reported: boolean;
  /** How many bytes before it were released before they could be searched. */
  readonly skipped?: number;
};

/** Called for a line that holds a pattern; the piece can be had only as long as its bytes are being fed. */
export type Tell = (pattern: string, line: number, piece: () => Uint8Array) => void;

export class UnfinishedLine {
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
  skipTo(offset: number, tell: Tell): void {
    this.partial(tell);
    this.#mark = { ...this.#mark, skipped: (this.#mark.skipped ?? 0) + Math.max(0, offset - this.end) };
    this.begin(offset);
  }

  /** Takes what belongs to this line, decides it when it is whole, and says where the next one begins in the bytes. */
  finish(bytes: Uint8Array, tell: Tell): number | undefined {
    const end = this.#returned ? 0 : firstEnd(bytes);
    if (end === undefined) {
      this.add(bytes, tell);
      return undefined;
    }
    const next = this.#returned ? Number(beginsWithNewline(bytes)) : afterLine(bytes, end);
    this.add(bytes.subarray(0, end), tell);
    this.#decide(tell, true);
    return next;
  }

  /** Takes more of this line; a `\r` may come last. */
  add(bytes: Uint8Array, tell: Tell): void {
    this.#returned = endsInReturn(bytes);
    const to = bytes.length - Number(this.#returned);
    if (to > 0 && this.#kept.length === 0) this.#kept = new Uint8Array(this.#matcher.pieceBytes);
    for (let from = 0; from < to;) {
      if (this.#length === this.#kept.length) this.#dropPiece(tell);
      const piece = bytes.subarray(from, Math.min(to, from + this.#kept.length - this.#length));
      this.#kept.set(piece, this.#length);
      this.#length += piece.length;
      from += piece.length;
    }
  }

  /** Decides what has come of the line, if anything has. A `\r` has ended it, whatever follows. */
  partial(tell: Tell): void {
    if (this.#length > 0 || this.#returned) this.#decide(tell, this.#returned);
  }

  /** Nothing follows any more: what has come is the whole line, and the next one would begin behind it. */
  close(tell: Tell): void {
    if (this.#length > 0 || this.#returned) this.#decide(tell, true);
    this.begin(this.end);
  }

  /** Tells of the line if what is kept of it holds a pattern. */
  #decide(tell: Tell, ends: boolean): void {
    const { position, line, reported } = this.#mark;
    if (reported) return;
    const edges = { begins: position === line, ends };
    const pattern = this.#matcher.decide(this.#kept, 0, this.#length, edges);
    if (pattern === undefined) return;
    this.#mark = { ...this.#mark, reported: true };
    // A copy: what is kept changes before all of the bytes are fed.
    const piece = this.#kept.slice(0, this.#length);
    tell(pattern, line, () => piece);
  }

  #dropPiece(tell: Tell): void {
    this.#decide(tell, false);
    const dropped = this.#length - this.#matcher.overlap;
    this.#kept.copyWithin(0, dropped, this.#length);
    this.#mark = { ...this.#mark, position: this.#mark.position + dropped };
    this.#length = this.#matcher.overlap;
  }
}
