/** The tone of a notice's state, and what a person can still do about it. */
import type { Cause, NoticeState, NoticeView } from 'rouse/contract/notice';

export const STATES: readonly NoticeState[] = ['pending', 'delivered', 'consumed', 'suppressed', 'expired', 'dead'];

export const stateTones: Record<NoticeState, 'accent' | 'good' | 'trouble' | ''> = {
  pending: 'accent',
  delivered: 'good',
  consumed: '',
  suppressed: '',
  expired: '',
  dead: 'trouble',
};

/** Rouse retries a pending notice itself; a person can only dismiss it. */
export const canRetry = ({ state }: NoticeView): boolean => state === 'dead';
export const canDismiss = ({ state }: NoticeView): boolean => state === 'dead' || state === 'pending';

export const heldBack = (cause: Cause): number => ('heldBack' in cause ? cause.heldBack : 0);

export function counted(notices: readonly NoticeView[]): ReadonlyMap<NoticeState, number> {
  const counts = new Map<NoticeState, number>();
  for (const { state } of notices) counts.set(state, (counts.get(state) ?? 0) + 1);
  return counts;
}
