/**
 * Which bytes of an output to release.
 *
 *   0 ────────── head ▓▓▓▓▓▓▓▓▓▓ released ▓▓▓▓▓▓▓▓▓▓ ────────── tail ────────── size
 *
 *   1. The head never changes, and the tail is never smaller than its share.
 *   2. The released range only grows, and only at its far end: an offset once readable is either still true or told gone.
 *   3. Both edges are multiples of a block, so that what is called released is exactly what the disk gave back.
 */
export type Released = { readonly from: number; readonly to: number };

export const nothingReleased: Released = { from: 0, to: 0 };

export const releasedBytes = (released: Released): number => released.to - released.from;

const BLOCK = 4_096;
const down = (offset: number) => Math.floor(offset / BLOCK) * BLOCK;

/** A quarter of the quota is head, half of it tail; the last quarter is room to grow before the next release. */
export function release(size: number, released: Released, quotaBytes: number): Released {
  if (size - releasedBytes(released) <= quotaBytes) return released;
  const from = releasedBytes(released) > 0 ? released.from : down(quotaBytes / 4);
  const to = down(size - quotaBytes / 2);
  return to > Math.max(from, released.to) ? { from, to } : released;
}

/** The pieces of [from, to) that are still there, and how many bytes between them are gone. */
export function kept(
  from: number,
  to: number,
  released: Released,
): { readonly pieces: readonly { from: number; to: number }[]; readonly gone: number } {
  const before = { from, to: Math.min(to, Math.max(from, released.from)) };
  const after = { from: Math.max(from, Math.min(to, released.to)), to };
  if (releasedBytes(released) === 0 || from >= released.to || to <= released.from)
    return { pieces: [{ from, to }], gone: 0 };
  const pieces = [before, after].filter((piece) => piece.to > piece.from);
  return { pieces, gone: to - from - pieces.reduce((sum, piece) => sum + piece.to - piece.from, 0) };
}
