/**
 * Which bytes of an output to release.
 *
 *   0 ────────── head ▓▓▓▓▓▓▓▓▓▓ released ▓▓▓▓▓▓▓▓▓▓ ────────── tail ────────── size
 *
 *   1. The head never changes, and the tail is never smaller than its share.
 *   2. The released range only grows, and only at its far end: an offset that was readable is still true or reported as gone.
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

/** A page of output: the bytes from `from` up to `to`, of which those in `gap` are released. */
export type Extent = { readonly from: number; readonly to: number; readonly gap?: Released };

/** At most `limit` kept bytes from an offset on. A page never straddles the gap: it ends before it or begins with it. */
export function pageAt(offset: number, limit: number, size: number, released: Released): Extent {
  const from = Math.min(offset, size);
  if (from < released.from) return { from, to: Math.min(size, from + limit, released.from) };
  if (from >= released.to) return { from, to: Math.min(size, from + limit) };
  return { from, to: Math.min(size, released.to + limit), gap: { from, to: released.to } };
}

/** The first byte of a page that is kept. */
export const firstKept = ({ from, gap }: Extent): number => gap?.to ?? from;
