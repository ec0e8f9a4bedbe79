/**
 * Which notices a session is still owed, and which it has moved on from.
 *
 *   1. What a person left behind with a reset is delivered nowhere, of any kind.
 *   2. A stop leaves only matches behind: a completion still comes.
 *   3. A match of the turn that runs is that turn's own: delivered at its next step, or not at all.
 *   4. The last match of a process reports its end as well: delivered at the turn's next step, or by a wake.
 */
import type { NoticeId } from '../../contract/ids.js';
import type { Cause } from '../../contract/notice.js';
import type { Suppression } from './settle.js';

/** A pending notice. `startedIn` is the generation whose turn started the process; what came from outside has none. */
export type Owed = {
  readonly notice: NoticeId;
  readonly kind: 'match' | 'lastMatch' | 'fact';
  readonly startedIn?: number;
};

export const owedAs = (notice: NoticeId, cause: Cause, startedIn: number | undefined): Owed => ({
  notice,
  kind: cause.kind !== 'watch_match' ? 'fact' : cause.end ? 'lastMatch' : 'match',
  ...(startedIn !== undefined && { startedIn }),
});

/** Who gets the notices of a session: its webhook, its agent, or only the people who look. */
export const readerOf = ({ agent, webhook }: { readonly agent: string; readonly webhook?: unknown }) =>
  webhook ? 'webhook' : agent === 'none' ? 'people' : 'agent';

/** The last generation that a person put behind them, by a reset or a close, and the last one by a stop. */
export type Behind = { readonly reset: number; readonly stop: number };

export const MOVED_ON: Suppression = 'session moved on';
export const STOPPED: Suppression = 'its turn was stopped';
export const UNTOLD: Suppression = 'its turn ended before a step at which it could be told';

/** Why it is not owed any more, if it is not. */
export function staleness(owed: Owed, behind: Behind): Suppression | undefined {
  if (owed.startedIn === undefined) return undefined;
  if (owed.startedIn <= behind.reset) return MOVED_ON;
  return owed.kind === 'match' && owed.startedIn <= behind.stop ? STOPPED : undefined;
}

/** Whether a running turn gets it at its next step. */
export const isForStep = (owed: Owed, generation: number): boolean =>
  owed.kind !== 'fact' && owed.startedIn === generation;

/** Whether it is dropped when the turn ends without such a step. */
export const isOwnMatch = (owed: Owed, generation: number): boolean =>
  owed.kind === 'match' && owed.startedIn === generation;

/** Splits what is due into what stays and what is suppressed, by its reason. */
export function sorted(
  due: readonly Owed[],
  reasonFor: (owed: Owed) => Suppression | undefined,
): {
  readonly left: readonly Owed[];
  readonly gone: readonly { readonly reason: Suppression; readonly notices: readonly NoticeId[] }[];
} {
  const left: Owed[] = [];
  const gone = new Map<Suppression, NoticeId[]>();
  for (const owed of due) {
    const reason = reasonFor(owed);
    if (reason === undefined) left.push(owed);
    else gone.set(reason, [...(gone.get(reason) ?? []), owed.notice]);
  }
  return { left, gone: [...gone].map(([reason, notices]) => ({ reason, notices })) };
}
