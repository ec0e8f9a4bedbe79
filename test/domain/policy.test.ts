import { describe, expect, test } from 'vitest';
import type { AgentPolicy, Cause, PeoplePolicy } from '../../src/contract/notice.js';
import { tells, wakes } from '../../src/domain/notice/policy.js';
import { completion, disabled, lastMatch, match, message, released, tripped } from './causes.js';

const facts: Record<string, Cause> = {
  good: completion({ end: { kind: 'exited', code: 0 } }),
  bad: completion({ end: { kind: 'exited', code: 1 } }),
  killed: completion({ end: { kind: 'signalled', signal: 'SIGTERM' } }),
  lost: completion({ end: { kind: 'lost', why: 'unknown' } }),
  match: match(),
  lastGood: lastMatch({ end: { kind: 'exited', code: 0 } }),
  lastBad: lastMatch(),
  disabled,
  tripped,
  released,
  message: message('hello'),
};
const namesOf = (passes: (cause: Cause) => boolean) =>
  Object.entries(facts)
    .filter(([, cause]) => passes(cause))
    .map(([name]) => name);
const everything = Object.keys(facts);

describe('policies', () => {
  test.each<[AgentPolicy, string[]]>([
    ['always', everything],
    ['failure', ['bad', 'killed', 'lost', 'lastBad', 'disabled', 'tripped', 'released', 'message']],
    ['never', []],
  ])('N12 an agent with "%s" is woken for what it names', (policy, names) => {
    expect(namesOf((cause) => wakes(policy, cause))).toEqual(names);
  });

  test.each<[PeoplePolicy, string[]]>([
    ['all', everything],
    ['result', ['good', 'bad', 'killed', 'lost', 'lastGood', 'lastBad', 'message']],
    ['error', ['bad', 'killed', 'lost', 'lastBad', 'disabled', 'tripped', 'released']],
    ['off', []],
  ])('N12 people with "%s" are told what it names', (policy, names) => {
    expect(namesOf((cause) => tells(policy, cause))).toEqual(names);
  });
});
