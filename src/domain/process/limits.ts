/** How many processes may run, and how many ended ones are kept. */
import type { SessionId, ProcessId } from '../../contract/ids.js';
import { refuse, type Refusal } from '../../contract/refusal.js';
import type { Instant } from './process.js';

export type StartLimits = { readonly processes: number; readonly processesPerSession: number };

/** Why one more process may not start. */
export function admitStart(
  limits: StartLimits,
  unfinished: readonly { readonly session?: SessionId | undefined }[],
  session: SessionId | undefined,
): Refusal | undefined {
  if (unfinished.length >= limits.processes)
    return refuse(
      'limit-reached',
      `${unfinished.length} processes are running, which is the limit of this host (limits.processes). End one first: rouse ps, rouse kill ID.`,
    );
  const ofSession = session ? unfinished.filter((process) => process.session === session).length : 0;
  if (ofSession >= limits.processesPerSession)
    return refuse(
      'limit-reached',
      `Session ${session} has ${ofSession} processes running, which is the limit of a session (limits.processesPerSession). End one first.`,
    );
  return undefined;
}

export type RetentionLimits = { readonly days: number; readonly count: number };

const DAY_MS = 86_400_000;

/** A process stays while a notice about it is owed: the notice needs it to be explained. */
export const withoutOwing = (ids: readonly ProcessId[], owing: ReadonlySet<ProcessId>): readonly ProcessId[] =>
  ids.filter((id) => !owing.has(id));

/** The ended processes to delete: the newest `count` stay, unless they ended more than `days` ago. */
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
