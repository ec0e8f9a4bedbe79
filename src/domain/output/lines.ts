/** Where lines begin and end in bytes. A line ends with `\n`, `\r\n` or a bare `\r`: each redraw of a progress bar is a line. */
const LF = 0x0a;
const CR = 0x0d;

/** The beginning of the line in which the byte at `at` stands; no line begins before `floor`. */
export function lineStart(bytes: Uint8Array, at: number, floor: number): number {
  while (at > floor && bytes[at - 1] !== LF && bytes[at - 1] !== CR) at--;
  return at;
}

/** The first end of a line at or behind `at`, or `to`. */
export function lineEnd(bytes: Uint8Array, at: number, to: number): number {
  while (at < to && bytes[at] !== LF && bytes[at] !== CR) at++;
  return at;
}

/** Where the next line begins, behind the end of this one. */
export const afterLine = (bytes: Uint8Array, end: number): number =>
  bytes[end] === CR && bytes[end + 1] === LF ? end + 2 : end + 1;

/** Where the first line ends, if it is whole. A `\r` that comes last ends none yet: its `\n` may be on the way. */
export function firstEnd(bytes: Uint8Array): number | undefined {
  const end = lineEnd(bytes, 0, bytes.length);
  return end < (endsInReturn(bytes) ? bytes.length - 1 : bytes.length) ? end : undefined;
}

/** The end of the last whole line behind `from`. */
export function wholeLines(bytes: Uint8Array, from: number): number {
  for (let at = bytes.length - 1; at >= from; at--)
    if (bytes[at] === LF || (bytes[at] === CR && at < bytes.length - 1)) return at + 1;
  return from;
}

export const endsInReturn = (bytes: Uint8Array): boolean => bytes[bytes.length - 1] === CR;

export const beginsWithNewline = (bytes: Uint8Array): boolean => bytes[0] === LF;

/** Pages count only `\n`: what a progress bar redraws is one line of output. */
export function newlinesIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count++;
  return count;
}

/** Behind the nth `\n`, if there are so many. */
export function behindNewline(bytes: Uint8Array, nth: number): number | undefined {
  let at = -1;
  for (let left = nth; left > 0; left--) {
    at = bytes.indexOf(LF, at + 1);
    if (at < 0) return undefined;
  }
  return at + 1;
}

/** Where the last lines begin, if so many begin behind the first byte. A `\n` at the very end only ends the last one. */
export function lastLinesStart(bytes: Uint8Array, lines: number): number | undefined {
  let end = bytes.at(-1) === LF ? bytes.length - 1 : bytes.length;
  for (let left = lines; left > 0; left--) {
    const newline = end > 0 ? bytes.lastIndexOf(LF, end - 1) : -1;
    if (newline < 0) return undefined;
    if (left === 1) return newline + 1;
    end = newline;
  }
  return undefined;
}
