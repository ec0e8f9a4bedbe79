/** Who is told of what (N12). What a policy leaves out is settled with that reason, never forgotten. */
import type { AgentPolicy, Cause, PeoplePolicy } from '../contract/notice.js';

/** Whether the agent is woken. */
export function wakes(policy: AgentPolicy, cause: Cause): boolean {
  switch (policy) {
    case 'always':
      return true;
    case 'failure':
      return cause.kind === 'completion' ? failed(cause) : cause.kind !== 'watch_match';
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
      return cause.kind === 'completion' || cause.kind === 'message';
    case 'error':
      return isTrouble(cause);
    case 'off':
      return false;
  }
}

function isTrouble(cause: Cause): boolean {
  switch (cause.kind) {
    case 'completion':
      return failed(cause);
    case 'watch_disabled':
    case 'watch_overflow_tripped':
    case 'watch_overflow_released':
      return true;
    case 'watch_match':
    case 'message':
      return false;
  }
}

const failed = ({ end }: Extract<Cause, { kind: 'completion' }>): boolean => end.kind !== 'exited' || end.code !== 0;
