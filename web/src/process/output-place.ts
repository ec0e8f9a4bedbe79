/** Which part of an output is shown: its live end, or a stretch of its past. */
import { TAIL_BYTES } from './output-source';

export type Place =
  | { readonly kind: 'end' }
  | {
      readonly kind: 'past';
      readonly from: number;
      readonly to: number;
      /** Where to scroll: an end of the stretch, or a match. */
      readonly at: 'top' | 'bottom' | { readonly offset: number; readonly text: string };
    };

export const END: Place = { kind: 'end' };

const AROUND_BYTES = TAIL_BYTES / 4;

/** The stretch before the one that begins at `from`. */
export const before = (from: number): Place => ({
  kind: 'past',
  from: Math.max(0, from - TAIL_BYTES),
  to: from,
  at: 'bottom',
});

/** The stretch after the one that ends at `to`; the live end if there is nothing more. */
export const behind = (to: number, size: number): Place =>
  to + TAIL_BYTES >= size ? END : { kind: 'past', from: to, to: to + TAIL_BYTES, at: 'top' };

/** A match with its surroundings. */
export const around = (offset: number, text: string): Place => ({
  kind: 'past',
  from: Math.max(0, offset - AROUND_BYTES),
  to: offset + AROUND_BYTES,
  at: { offset, text },
});
