/** Whether one more process may start. */
import type { SessionId } from '../../contract/ids.js';
import { refuse, type Refusal } from '../../contract/refusal.js';

export type StartLimits = { readonly processes: number; readonly processesPerSession: number };

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
