/** Who is told of what (N12). What a policy leaves out is settled with that reason, never forgotten. */
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

/** Whether people are told. */
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

/** What a start may promise: it never says that somebody will be told where nobody can be. */
type Asked = { readonly notifyOnComplete: boolean; readonly watchPatterns: readonly string[] };

export type Promised = Asked & {
  /** Sentences for whoever asked: what was left out, and what would have to be asked for. */
  readonly notes: readonly string[];
};

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

/** What to add when the process had ended before its start was answered; `notices` are those that it has made. */
export function alreadyEnded({ watchPatterns }: Asked, notices: number): readonly string[] {
  if (watchPatterns.length === 0) return [];
  return notices > 0
    ? ['It has already ended; what matched is reported in a notice.']
    : ['It has already ended, and no line matched a pattern: there will be no notice.'];
}

const NO_SESSION =
  'Nobody will be told: the process belongs to no session. Start it with one (session, --session) to be told, or wait for it.';
const NOT_ASKED =
  'The session will not be told when this ends: ask for that with notifyOnComplete (--notify, notify_on_complete).';
const BOTH =
  'The watch patterns were dropped, because the end is told anyway: ask for notify or for patterns, not for both.';
const NEVER = 'The session wants no wakes (wakes: never): notices are kept and can be listed, but nobody is woken.';
