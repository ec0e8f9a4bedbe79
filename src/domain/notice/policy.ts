/** Who is notified of what (N12), and what a start may promise. A notice that a policy excludes is stored with that reason. */
import { endingOf } from '../../contract/cause-line.js';
import type { AgentPolicy, Cause, PeoplePolicy } from '../../contract/notice.js';

/** Whether the agent is woken. */
export function wakes(policy: AgentPolicy, cause: Cause): boolean {
  switch (policy) {
    case 'always':
      return true;
    case 'failure':
      return cause.kind === 'completion' || cause.kind === 'watch_match' ? failed(cause) : true;
    case 'never':
      return false;
  }
}

/** Whether people are notified. */
export function tells(policy: PeoplePolicy, cause: Cause): boolean {
  switch (policy) {
    case 'all':
      return true;
    case 'result':
      return cause.kind === 'message' || (cause.kind !== 'watch_disabled' && endingOf(cause) !== undefined);
    case 'error':
      return isTrouble(cause);
    case 'off':
      return false;
  }
}

function isTrouble(cause: Cause): boolean {
  switch (cause.kind) {
    case 'completion':
    case 'watch_match':
      return failed(cause);
    case 'watch_disabled':
    case 'watch_overflow_tripped':
    case 'watch_overflow_released':
      return true;
    case 'message':
      return false;
  }
}

/** A match that is the last of its process reports its end, which may be a failure. */
function failed(cause: Cause): boolean {
  const end = endingOf(cause)?.end;
  return end !== undefined && (end.kind !== 'exited' || end.code !== 0);
}

type Asked = { readonly notifyOnComplete: boolean; readonly watchPatterns: readonly string[] };

export type Promised = Asked & {
  /** Sentences for the caller: what was left out, and which option asks for it. */
  readonly notes: readonly string[];
};

/** A start never promises a notice that cannot come (N16). */
export function promise(asked: Asked, session: { readonly wakes: AgentPolicy } | undefined): Promised {
  const { notifyOnComplete, watchPatterns } = asked;
  const wanted = notifyOnComplete || watchPatterns.length > 0;
  if (!session) return { notifyOnComplete: false, watchPatterns: [], notes: wanted ? [NO_SESSION] : [] };
  if (!wanted) return { ...asked, notes: [NOT_ASKED] };
  const notes = session.wakes === 'never' ? [NEVER] : [];
  if (notifyOnComplete && watchPatterns.length > 0)
    return { notifyOnComplete, watchPatterns: [], notes: [BOTH, ...notes] };
  return { ...asked, notes };
}

/** What to add when the process ended before its start was answered; `notices` is how many it has made. */
export function alreadyEnded({ watchPatterns }: Asked, notices: number): readonly string[] {
  if (watchPatterns.length === 0) return [];
  return notices > 0
    ? ['It has already ended; what matched is reported in a notice.']
    : ['It has already ended, and no line matched a pattern: there will be no notice.'];
}

const NO_SESSION =
  'Rouse will not notify any session, because the process has none. Start it with a session (session, --session), or wait for it.';
const NOT_ASKED =
  'Rouse will not notify the session when this ends. To be notified, use notifyOnComplete (--notify, notify_on_complete).';
const BOTH = 'Rouse ignores the watch patterns, because it reports the end. Use notify or patterns, not both.';
const NEVER =
  'Wakes are off for this session (wakes: never): Rouse stores its notices and lists them, but does not wake the agent.';
