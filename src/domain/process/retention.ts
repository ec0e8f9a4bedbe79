/** Which ended processes to forget, with their files. */
import type { ProcessId } from '../../contract/ids.js';
import type { Instant } from './process.js';

export type RetentionLimits = { readonly days: number; readonly count: number };

const DAY_MS = 86_400_000;

/** The newest `count` stay, unless they ended more than `days` ago. */
export function outlived(
  ended: readonly { readonly id: ProcessId; readonly endedAt: Instant }[],
  limits: RetentionLimits,
  now: Instant,
): ProcessId[] {
  const newestFirst = ended.toSorted((a, b) => b.endedAt - a.endedAt);
  return newestFirst
    .filter((process, rank) => rank >= limits.count || now - process.endedAt > limits.days * DAY_MS)
    .map((process) => process.id);
}
