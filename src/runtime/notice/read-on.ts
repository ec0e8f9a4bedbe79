import type { ProcessId } from '../../contract/ids.js';
import { isRefusal } from '../../contract/refusal.js';
import type { Released } from '../../domain/output/quota.js';
import type { Place } from '../../ports/place.js';

const READ_BYTES = 262_144;

/** Bytes of an output, and the offset at which they begin. */
export type Bytes = { readonly bytes: Uint8Array; readonly from: number };

/** The next bytes in [at, upTo) that are still there; undefined when there are none, or when they cannot be read. */
export async function readOn(
  place: Place,
  id: ProcessId,
  { at, upTo }: { readonly at: number; readonly upTo: number },
  released: () => Released,
): Promise<Bytes | undefined> {
  const hole = released();
  const from = at >= hole.from && at < hole.to ? hole.to : at;
  const to = Math.min(from + READ_BYTES, upTo, hole.from > from ? hole.from : upTo);
  const bytes = to > from ? await place.readOutput(id, from, to - from) : new Uint8Array();
  if (isRefusal(bytes) || bytes.length === 0) return undefined;
  // A hole is remembered before it is made: what has become part of one may have been read as zeros.
  const now = released();
  if (now.to > hole.to && now.from < from + bytes.length && from < now.to)
    return readOn(place, id, { at, upTo }, released);
  return { bytes, from };
}
