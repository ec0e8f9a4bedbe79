import type { Cause } from '../../contract/notice.js';
import type { Instant, Lifecycle } from '../process/process.js';

/** A cause as it is delivered now: a process that has ended since the fact is described as ended (N10). */
export function asDelivered(
  cause: Cause,
  process: { readonly startedAt: Instant; readonly lifecycle: Lifecycle } | undefined,
): Cause {
  if (!mayGoStale(cause) || process?.lifecycle.kind !== 'ended') return cause;
  const { end, endedAt } = process.lifecycle;
  return { ...cause, end, startedAt: process.startedAt, endedAt: Math.round(endedAt) };
}

/** Whether it speaks of a process that may have ended since. */
export const mayGoStale = (cause: Cause): cause is Extract<Cause, { kind: 'watch_match' | 'watch_disabled' }> =>
  (cause.kind === 'watch_match' || cause.kind === 'watch_disabled') && cause.end === undefined;
