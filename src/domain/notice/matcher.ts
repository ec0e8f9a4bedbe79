/**
 * Which lines of some bytes hold a pattern.
 *
 *   bytes ──▶ a place that may hold a literal, or a terminal code ──▶ the line around it, decided exactly ──▶ behind it …
 *
 *   1. A line is decided once: the worst input costs two passes over it. With expressions, every line is decided.
 *   2. Of the patterns in a line, the first in the list is named.
 *   3. Terminal codes are taken out before a line is decided, so they hide nothing.
 *   4. A line longer than a piece is decided piece by piece, with an overlap, and matches once at most. The edge of a
 *      piece is no end of a line: `^` and `$` do not match there.
 */
import { isRefusal, refuse, type Refusal } from '../../contract/refusal.js';
import { parsePattern, type Edges, type Pattern } from './pattern.js';
import { afterLine, lineEnd, lineStart } from '../output/lines.js';
import { Literals } from './literals.js';
import { stripAnsi, nextCode, decode, encode } from '../output/text.js';

/** A line that holds a pattern: where it begins, and the piece of it in which the pattern was found. */
export type Hit = { readonly line: number; readonly from: number; readonly to: number; readonly pattern: string };

const PIECE_BYTES = 65_536;
const LITERAL_BYTES = 16_384;
/** What pieces have in common for the sake of expressions, whose matches have no known length. */
const EXPRESSION_OVERLAP = 1_024;

export function compileWatch(sources: readonly string[], pieceBytes = PIECE_BYTES): Matcher | Refusal {
  const patterns: Pattern[] = [];
  for (const source of sources) {
    const pattern = parsePattern(source);
    if (isRefusal(pattern)) return pattern;
    patterns.push(pattern);
  }
  const bytes = patterns.reduce((sum, pattern) => sum + (pattern.kind === 'literal' ? pattern.bytes.length : 0), 0);
  if (bytes > LITERAL_BYTES)
    return refuse('invalid', `The watch patterns have ${bytes} bytes in total; the limit is ${LITERAL_BYTES}.`);
  return new Matcher(patterns, pieceBytes);
}

export class Matcher {
  readonly #literals: Literals;
  readonly #literalPatterns: readonly Pattern[];
  /** Whether every line has to be decided: for expressions, and for a literal of one byte, which nearly every line holds. */
  readonly #everyLine: boolean;
  /** How many bytes at the end of a piece are looked at again in the next. */
  readonly overlap: number;

  constructor(
    readonly patterns: readonly Pattern[],
    readonly pieceBytes: number,
  ) {
    const literals = patterns.filter((pattern) => pattern.kind === 'literal');
    this.#literals = new Literals(literals.map(({ bytes }) => bytes));
    this.#literalPatterns = literals;
    this.#everyLine = literals.length < patterns.length || literals.some(({ bytes }) => bytes.length < 2);
    const wanted = Math.max(this.#literals.longest - 1, this.#everyLine ? EXPRESSION_OVERLAP : 0);
    this.overlap = Math.min(wanted, pieceBytes - 1);
  }

  /** Reports each line in [from, to) that holds a pattern, in order. The range begins and ends with whole lines. */
  scan(bytes: Uint8Array, from: number, to: number, report: (hit: Hit) => void): void {
    if (this.#everyLine) this.#scanEveryLine(bytes, from, to, report);
    else this.#scanSuspects(bytes, from, to, report);
  }

  #scanSuspects(bytes: Uint8Array, from: number, to: number, report: (hit: Hit) => void): void {
    let code = from - 1;
    for (let at = from; at < to;) {
      if (code < at) code = nextCode(bytes, at, to);
      const place = this.#literals.suspect(bytes, at, code);
      if (place === to) return;
      const end = lineEnd(bytes, place, to);
      const hit = this.#decideLine(bytes, lineStart(bytes, place, at), end);
      if (hit) report(hit);
      at = afterLine(bytes, end);
    }
  }

  /** Decodes many lines at once, which is much cheaper than one by one. Bytes that are no text cost no end of a line. */
  #scanEveryLine(bytes: Uint8Array, from: number, to: number, report: (hit: Hit) => void): void {
    const texts = decode(bytes.subarray(from, to)).split(/\r\n|\r|\n/);
    let at = from;
    for (let line = 0; at < to; line++) {
      const end = lineEnd(bytes, at, to);
      const hit = this.#decideLine(bytes, at, end, texts[line]);
      if (hit) report(hit);
      at = afterLine(bytes, end);
    }
  }

  #decideLine(bytes: Uint8Array, line: number, end: number, text?: string): Hit | undefined {
    for (let from = line; ; from += this.pieceBytes - this.overlap) {
      const to = Math.min(from + this.pieceBytes, end);
      const edges = { begins: from === line, ends: to === end };
      const pattern = this.decide(bytes, from, to, edges, edges.begins && edges.ends ? text : undefined);
      if (pattern !== undefined) return { line, from, to, pattern };
      if (to === end) return undefined;
    }
  }

  /** The first pattern of the list that occurs in [from, to), a line or a part of one; `text` is the same decoded. */
  decide(bytes: Uint8Array, from: number, to: number, edges: Edges, text?: string): string | undefined {
    const coded = nextCode(bytes, from, to) < to;
    if (!coded && !this.#everyLine) return this.#literal(bytes, from, to)?.source;
    const plain = text ?? decode(bytes.subarray(from, to));
    if (!coded) return this.#firstOf(this.#literal(bytes, from, to), plain, edges);
    const visible = stripAnsi(plain);
    const visibleBytes = encode(visible);
    return this.#firstOf(this.#literal(visibleBytes, 0, visibleBytes.length), visible, edges);
  }

  #literal(bytes: Uint8Array, from: number, to: number): Pattern | undefined {
    return this.#literalPatterns[this.#literals.first(bytes, from, to)];
  }

  /** The literal that was found, unless an expression that matches comes before it in the list. */
  #firstOf(literal: Pattern | undefined, text: string, edges: Edges): string | undefined {
    return this.patterns.find(
      (pattern) => pattern === literal || (pattern.kind === 'expression' && pattern.test(text, edges)),
    )?.source;
  }
}
