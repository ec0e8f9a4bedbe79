/**
 * Finds words in output: literal, in either case, with any colours between the letters.
 *
 *   1. Every byte is looked at once, and a bounded number of them for one request: `next` says where to continue.
 *   2. A line is found whole wherever a read cuts it. One that is longer than anybody reads is taken in pieces that
 *      overlap, so that no word is lost between two of them.
 *   3. What is found is what may be shown: a word inside a secret is not.
 */
import type { OutputMatch, SearchAnswer, SearchQuery } from '../../contract/output.js';
import { isRefusal, refuse, type Refusal } from '../../contract/refusal.js';
import { HIDDEN } from '../../contract/display.js';
import { newlinesIn } from '../../domain/output/lines.js';
import { readable } from '../../domain/output/text.js';
import type { ProcessRecord } from '../../ports/store.js';
import type { OutputReader } from './output.js';

const REQUEST_BYTES = 8_388_608;
const READ_BYTES = 262_144;
const PIECE_BYTES = 65_536;
/** More than the words and the colours between their letters take. */
const OVERLAP_BYTES = 16_384;
const SHOWN_CHARACTERS = 400;
const MATCHES = 100;
const NEWLINE = 10;

/** A line, as much of one as is looked at together, or many lines that do not hold the words. */
type Piece = {
  /** Undefined when there is nothing to be found in it. */
  readonly bytes?: Uint8Array;
  readonly from: number;
  readonly to: number;
  /** How many lines end in it. */
  readonly ends: number;
};

export async function searchOutput(
  reader: OutputReader,
  record: ProcessRecord,
  { text, offset = 0, line = 0, limit = MATCHES }: SearchQuery,
): Promise<SearchAnswer | Refusal> {
  const size = await reader.size(record);
  if (isRefusal(size)) return size;
  const wanted = readable(text).toLowerCase();
  if (wanted === '') return refuse('invalid', 'text: there is nothing in it that could be seen');
  const matches: OutputMatch[] = [];
  let [at, number, looked] = [offset, line, 0];
  // A line that was found in an earlier piece is not reported again.
  let reported = -1;
  for await (const piece of pieces(reader, { ...record, outputBytes: size }, offset, wanted)) {
    // What is released is not looked at, and costs nothing to pass, however much it is.
    looked += piece.to - piece.from;
    if (looked > REQUEST_BYTES || matches.length === limit) return { matches, next: at, nextLine: number, size };
    const found = reported === number ? undefined : await matchIn(reader, record, piece, size, wanted);
    if (found !== undefined) {
      matches.push({ offset: piece.from, line: number, text: found });
      reported = number;
    }
    at = piece.to;
    number += piece.ends;
  }
  return { matches, size };
}

/** The line as it is shown, if it holds the words. */
async function matchIn(
  reader: OutputReader,
  record: ProcessRecord,
  { bytes, from, to }: Piece,
  size: number,
  wanted: string,
): Promise<string | undefined> {
  if (!bytes || !readable(Buffer.from(bytes).toString()).toLowerCase().includes(wanted)) return undefined;
  const shown = readable((await reader.shown(record, { bytes, from, to, size }, true)).text).trimEnd();
  const place = shown.toLowerCase().indexOf(wanted);
  return place < 0 ? undefined : around(shown, place, wanted.length);
}

/** As much of a long line as is shown, with the words in it. */
function around(line: string, place: number, length: number): string {
  const from = place + length <= SHOWN_CHARACTERS ? 0 : Math.max(0, place - Math.floor(SHOWN_CHARACTERS / 4));
  return line.slice(from, from + SHOWN_CHARACTERS).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}

/** Lines from an offset on, without what is released. */
async function* pieces(
  reader: OutputReader,
  record: ProcessRecord,
  offset: number,
  wanted: string,
): AsyncGenerator<Piece> {
  let held: Uint8Array = new Uint8Array();
  let end = offset;
  for await (const { bytes, to, gap } of reader.stretches(record, offset, READ_BYTES)) {
    // Behind the gap begins another line.
    if (gap && held.length > 0) yield { bytes: held, from: end - held.length, to: end, ends: 1 };
    held = gap ? bytes : Buffer.concat([held, bytes]);
    end = to;
    for (const piece of cut(held, wanted)) {
      const from = end - held.length;
      yield { ...piece, from, to: from + piece.length };
      held = held.subarray(piece.length);
    }
  }
  if (held.length > 0) yield { bytes: held, from: end - held.length, to: end, ends: 1 };
}

type Cut = { readonly bytes?: Uint8Array; readonly length: number; readonly ends: number };

/** Cut off the beginning, up to what more has to come for. */
function* cut(held: Uint8Array, wanted: string): Generator<Cut> {
  const lines = held.lastIndexOf(NEWLINE) + 1;
  if (isWithout(held.subarray(0, lines), wanted)) {
    yield { length: lines, ends: newlinesIn(held.subarray(0, lines)) };
    held = held.subarray(lines);
  }
  for (;;) {
    const newline = held.indexOf(NEWLINE);
    const isWhole = newline >= 0 && newline < PIECE_BYTES;
    if (!isWhole && held.length < PIECE_BYTES) return;
    const bytes = held.subarray(0, isWhole ? newline + 1 : PIECE_BYTES);
    const length = isWhole ? bytes.length : bytes.length - OVERLAP_BYTES;
    yield { bytes, length, ends: Number(isWhole) };
    held = held.subarray(length);
  }
}

/** A look at many lines at once, which most of the time is all that they need; where in doubt each is looked at. */
function isWithout(lines: Uint8Array, wanted: string): boolean {
  const text = Buffer.from(lines.buffer, lines.byteOffset, lines.length).toString().replace(COLOURS, '');
  return !DOUBTFUL.test(text) && !text.toLowerCase().includes(wanted);
}

// oxlint-disable-next-line no-control-regex -- what a terminal takes for a colour begins with a control character
const COLOURS = /\u001b\[[0-?]*[ -/]*[@-~]/g;

/** What may stand unseen between two letters. */
const DOUBTFUL = new RegExp(`[\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u009f]|${HIDDEN.source}`, 'u');
