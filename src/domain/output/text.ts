/** Bytes and terminal text, as people read them. */
import { HIDDEN, wellFormed } from '../../contract/display.js';

export { printable } from '../../contract/display.js';

/** How many bytes at the end of a chunk are the beginning of a character whose rest has not come yet. */
export function unfinishedCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? back : 0;
    }
  }
  return 0;
}

/** How many bytes at the beginning of a chunk are the rest of a character that began before it. */
export function restOfCharacter(bytes: Uint8Array): number {
  const begins = bytes.subarray(0, 4).findIndex((byte) => byte < 0x80 || byte >= 0xc0);
  return Math.max(0, begins);
}

/** A string that never ends hides nothing: only its opening is taken out, so that no line behind it is lost. */
const ESCAPES = new RegExp(
  [
    '\\u001b\\][^\\u0007\\u001b\\n]*(?:\\u0007|\\u001b\\\\)', // OSC: titles, links, clipboard
    '\\u001b[PX^_][^\\u001b]*\\u001b\\\\', // DCS, SOS, PM, APC
    '[\\u001b\\u009b]\\[?[0-?]*[ -/]*[@-~]', // CSI and two-character escapes
    '\\u001b', // a lone one
  ].join('|'),
  'g',
);

/** Takes terminal codes out; carriage returns that only redraw a line go with what they overwrote. */
export const stripAnsi = (text: string): string =>
  text
    .replace(ESCAPES, '')
    .replace(/\r+\n/g, '\n')
    .replace(/^.*\r(?!\n)(?=.)/gm, '')
    // oxlint-disable-next-line no-control-regex -- what is left of the control characters moves the cursor or rings
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '');

/**
 * Output as lines of visible characters. Everything that ends a line anywhere ends one here, invalid characters become
 * U+FFFD, and what hides or moves the cursor is removed. Applied twice, it changes nothing more.
 *
 * A secret may be hidden by such characters: make text readable before it is redacted, not after.
 */
export const readable = (text: string): string =>
  stripAnsi(wellFormed(text).replace(LINE_ENDS, '\n').replace(HIDDEN, '')).replaceAll('\r', '');

const LINE_ENDS = /[\u0085\u2028\u2029\v\f]/g;

// Every JavaScript engine has these two, but the pure folders are compiled with the language's own library only.
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new (
  label: string,
  options: { ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export const encode = (text: string): Uint8Array => encoder.encode(text);

/** Invalid bytes become U+FFFD. */
export const decode = (bytes: Uint8Array): string => decoder.decode(bytes);

// A terminal code begins with ESC, or with U+009B, which UTF-8 writes as C2 9B.
const ESC = 0x1b;
const C2 = 0xc2;
const CSI = 0x9b;

/** How far to search in a loop before using `indexOf`, which is slow to begin and then as fast as memory. */
const NEAR = 256;

/** The first terminal code in [from, to), or `to`. A Buffer is much faster here than any other array. */
export function nextCode(bytes: Uint8Array, from: number, to: number): number {
  const near = Math.min(from + NEAR, to);
  const code = byHand(bytes, from, near, to);
  return code < near || near === to ? code : beyond(bytes, near, to);
}

function beyond(bytes: Uint8Array, from: number, to: number): number {
  const escape = indexOf(ESC, bytes, from, to);
  for (let at = from; at < escape;) {
    const candidate = indexOf(C2, bytes, at, escape);
    const near = Math.min(candidate + NEAR, escape);
    const code = byHand(bytes, candidate, near, to);
    if (code < near) return code;
    at = near;
  }
  return escape;
}

function byHand(bytes: Uint8Array, from: number, near: number, to: number): number {
  for (let at = from; at < near; at++)
    if (bytes[at] === ESC || (bytes[at] === C2 && bytes[at + 1] === CSI && at + 1 < to)) return at;
  return near;
}

function indexOf(byte: number, bytes: Uint8Array, from: number, to: number): number {
  const at = bytes.subarray(from, to).indexOf(byte);
  return at < 0 ? to : from + at;
}
