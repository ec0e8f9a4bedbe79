/**
 * The life of a notice.
 *
 *   born ──▶ pending ──delivered──▶ delivered
 *    │       ▲  │ │ ───consumed───▶ consumed      the agent saw the fact itself
 *    │       │  │
 *    │       │  ├──attemptFailed──▶ pending, due later; the last one: dead ──┐
 *    │       │  ▼                                                            │
 *    └──▶ suppressed ◀───────────────────────dismissed───────────────────────┤
 *            └──────────────────────────────retried──────────────────────────┘
 *
 *   1. A notice is settled once. What comes later changes nothing and gets `settled already`.
 *   2. Only a dead one has a way back: a person may retry or dismiss it.
 *   3. Every settlement names its reason, its rule, who caused it, and when.
 *   4. Attempts are never forgotten; a retry begins a new series.
 */
import type { TurnId } from '../../contract/ids.js';
import type { AgentPolicy, Cause, NoticeState } from '../../contract/notice.js';
import type { ProcessState } from '../../contract/process.js';
import { wakes } from './policy.js';
import type { Instant } from '../process/process.js';

export type Settlement = {
  readonly state: Exclude<NoticeState, 'pending' | 'expired'>;
  readonly reason: string;
  /** The number of the behaviour that it follows. */
  readonly rule: string;
  /** Who caused it: a reader, a tool, a person, or Rouse. */
  readonly by: string;
  readonly at: Instant;
  readonly turn?: TurnId;
};

/** `attempts` counts all; `earlierAttempts` are those of series that a person's retry has closed. */
type Tried = { readonly attempts: number; readonly earlierAttempts?: number; readonly lastFailure?: string };

export type Pending = { readonly kind: 'pending'; readonly dueAt: Instant } & Tried;
export type Settled = { readonly kind: 'settled' } & Tried & Settlement;
export type Standing = Pending | Settled;

/** Why a notice is kept from its reader, and the rule that says so. */
export const SUPPRESSIONS = {
  'session moved on': 'N8',
  policy: 'N12',
  'its turn was stopped': 'W10',
  'its turn ended before a step at which it could be told': 'W10',
  dismissed: 'N11',
} as const;
export type Suppression = keyof typeof SUPPRESSIONS;

export type RetryFigures = {
  readonly attempts: number;
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
};

export const RETRY_FIGURES: RetryFigures = { attempts: 8, firstRetryMs: 1_000, longestRetryMs: 600_000 };

const US = 'rouse';

type Birth = { readonly closed: boolean; readonly policy: AgentPolicy };

/** Due at once, unless its session has moved on or its policy excludes it. */
export function born(cause: Cause, { closed, policy }: Birth, now: Instant): Standing {
  const owed: Pending = { kind: 'pending', attempts: 0, dueAt: now };
  if (closed) return kept(owed, 'session moved on', US, now);
  return wakes(policy, cause) ? owed : kept(owed, 'policy', US, now);
}

export type AlreadySettled = 'settled already';
const ALREADY: AlreadySettled = 'settled already';

/** It reached `to`: the attempt that succeeded counts too. */
export function delivered(standing: Standing, to: string, now: Instant, turn?: TurnId): Settled | AlreadySettled {
  if (standing.kind === 'settled') return ALREADY;
  const tried = { ...standing, attempts: standing.attempts + 1 };
  return settled(tried, {
    state: 'delivered',
    reason: `delivered to ${to}`,
    rule: 'N7',
    by: to,
    at: now,
    ...given(turn),
  });
}

/** The agent has durably seen the fact by its own means: `by` is what showed it, such as `wait`. */
export function consumed(standing: Standing, by: string, now: Instant, turn?: TurnId): Settled | AlreadySettled {
  if (standing.kind === 'settled') return ALREADY;
  const reason = `${by} showed it to the agent`;
  return settled(standing, { state: 'consumed', reason, rule: 'N3', by, at: now, ...given(turn) });
}

/** Whether a look shows the end of a process to its owner (N3, N4): once it has ended, and a page only up to its last byte. */
export const showsEnd = (
  { state, outputBytes }: { readonly state: ProcessState; readonly outputBytes?: number | undefined },
  page?: { readonly to: number },
): boolean => state === 'ended' && (page === undefined || page.to === outputBytes);

export function suppressed(standing: Standing, reason: Suppression, now: Instant, by = US): Settled | AlreadySettled {
  return standing.kind === 'settled' ? ALREADY : kept(standing, reason, by, now);
}

/** Due again after a pause that doubles, or dead. */
export function attemptFailed(
  standing: Standing,
  why: string,
  now: Instant,
  figures: RetryFigures = RETRY_FIGURES,
): Standing | AlreadySettled {
  if (standing.kind === 'settled') return ALREADY;
  const tried = { ...standing, attempts: standing.attempts + 1, lastFailure: why };
  const failures = tried.attempts - (standing.earlierAttempts ?? 0);
  if (failures < figures.attempts) return { ...tried, dueAt: now + pauseMs(failures, figures) };
  return settled(tried, { state: 'dead', reason: `given up: ${why}`, rule: 'N11', by: US, at: now });
}

/** How long until the next attempt, after so many have failed. */
export const pauseMs = (failures: number, { firstRetryMs, longestRetryMs }: RetryFigures): number =>
  Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1));

/** A person gives a dead one a new series of attempts, the first of them at once. */
export function retried(standing: Standing, now: Instant): Pending | AlreadySettled | 'still pending' {
  if (standing.kind === 'pending') return 'still pending';
  if (standing.state !== 'dead') return ALREADY;
  const { attempts, lastFailure } = standing;
  return { kind: 'pending', dueAt: now, attempts, earlierAttempts: attempts, ...(lastFailure && { lastFailure }) };
}

/** A person does not want it sent any more. */
export function dismissed(standing: Standing, by: string, now: Instant): Settled | AlreadySettled {
  if (standing.kind === 'settled' && standing.state !== 'dead') return ALREADY;
  return kept(standing, 'dismissed', by, now);
}

const kept = (tried: Tried, reason: Suppression, by: string, at: Instant): Settled =>
  settled(tried, { state: 'suppressed', reason, rule: SUPPRESSIONS[reason], by, at });

const settled = ({ attempts, earlierAttempts, lastFailure }: Tried, settlement: Settlement): Settled => ({
  kind: 'settled',
  attempts,
  ...(earlierAttempts && { earlierAttempts }),
  ...(lastFailure !== undefined && { lastFailure }),
  ...settlement,
});

const given = (turn: TurnId | undefined) => (turn ? { turn } : {});
