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
