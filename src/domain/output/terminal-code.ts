/** Where terminal codes begin in bytes: with ESC, or with U+009B, which UTF-8 writes as C2 9B. */
const ESC = 0x1b;
const C2 = 0xc2;
const CSI = 0x9b;

/** How far to look by hand before asking the array, which takes its time to begin and is then as fast as the memory. */
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
