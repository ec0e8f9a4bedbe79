import { describe, expect, test } from 'vitest';
import { step, type Effect, type Input, type Lifecycle, type Owned } from '../../src/domain/process/process.js';

const owned: Owned = {
  shim: { pid: 10, startTime: '1', boot: 'b' },
  command: { pid: 11, startTime: '1', boot: 'b' },
};
const launched: Input = { kind: 'launched', owned };
const exit3: Input = { kind: 'exited', record: { kind: 'exited', code: 3 }, at: 500 };
const killedBy = (signal: string): Input => ({ kind: 'exited', record: { kind: 'signalled', signal }, at: 500 });
const term: Input = { kind: 'stopAsked', by: 'ann', signal: 'SIGTERM' };
const kill: Input = { kind: 'stopAsked', by: 'bob', signal: 'SIGKILL' };

function play(inputs: readonly Input[]): { state: Lifecycle; effects: Effect['kind'][] } {
  let state: Lifecycle = { kind: 'starting' };
  const effects: Effect['kind'][] = [];
  inputs.forEach((input, index) => {
    const next = step(state, input, index * 100);
    state = next.state;
    effects.push(...next.effects.map((effect) => effect.kind));
  });
  return { state, effects };
}

describe('the process machine', () => {
  test('runs, then ends with the code and the time that the shim wrote down', () => {
    expect(play([launched, exit3])).toEqual({
      state: { kind: 'ended', end: { kind: 'exited', code: 3 }, endedAt: 500, owned },
      effects: ['announceEnd'],
    });
  });

  test('P2 ends a process that was never seen running', () => {
    expect(play([exit3]).state).toMatchObject({ kind: 'ended', end: { kind: 'exited', code: 3 } });
  });

  test('keeps a stop that came before it had a pid, and carries it out when it has one', () => {
    const { state, effects } = play([term, launched]);
    expect(state).toMatchObject({ kind: 'running', stop: { by: 'ann', signal: 'SIGTERM', askedAt: 0 } });
    expect(effects).toEqual(['terminate']);
  });

  test('P7 names who asked for the signal that ended it', () => {
    expect(play([launched, term, killedBy('SIGTERM')]).state).toMatchObject({ end: { signal: 'SIGTERM', by: 'ann' } });
  });

  test('P7 names who asked when the grace was over and SIGKILL did it', () => {
    const { state } = play([launched, term, { kind: 'graceOver' }, killedBy('SIGKILL')]);
    expect(state).toMatchObject({ end: { signal: 'SIGKILL', by: 'ann' } });
  });

  test('P7 names nobody for a signal that was not ours', () => {
    expect(play([launched, term, killedBy('SIGSEGV')]).state).toMatchObject({
      end: { kind: 'signalled', signal: 'SIGSEGV' },
    });
    expect(play([launched, killedBy('SIGKILL')]).state).not.toHaveProperty('end.by');
    expect(play([launched, term, killedBy('SIGSEGV')]).state).not.toHaveProperty('end.by');
  });

  test('lets SIGKILL overtake a gentler request, and nothing else', () => {
    expect(play([launched, term, kill]).state).toMatchObject({ stop: { by: 'bob', signal: 'SIGKILL', forced: true } });
    expect(play([launched, kill, term]).state).toMatchObject({ stop: { by: 'bob', signal: 'SIGKILL' } });
    expect(play([launched, term, term]).effects).toEqual(['terminate']);
  });

  test('P14 is lost when it is neither alive nor written down', () => {
    expect(play([launched, { kind: 'vanished', why: 'exit unknown' }]).state).toMatchObject({
      end: { kind: 'lost', why: 'exit unknown' },
    });
  });
});

/**
 * The world: a command that is launched at most once, ends at most once, and whose news come in any order, late, or
 * twice. Every path of seven inputs is walked.
 */
describe('every path', () => {
  const inputs: Input[] = [
    launched,
    exit3,
    killedBy('SIGTERM'),
    { kind: 'vanished', why: 'gone' },
    { kind: 'notStarted', why: 'no' },
    term,
    kill,
    { kind: 'graceOver' },
  ];

  function walk(state: Lifecycle, ends: number, terminations: number, stops: number, depth: number): number {
    if (depth === 0) return 1;
    let paths = 0;
    for (const input of inputs) {
      const next = step(state, input, depth);
      const newEnds = ends + next.effects.filter((effect) => effect.kind === 'announceEnd').length;
      const newTerminations = terminations + next.effects.filter((effect) => effect.kind === 'terminate').length;
      const newStops = stops + Number(input.kind === 'stopAsked');
      if (newEnds > 1) throw new Error('P9: two ends');
      if (state.kind === 'ended' && next.state !== state) throw new Error('changed after its end');
      if (next.state.kind === 'ended' && state.kind !== 'ended' && newEnds !== 1)
        throw new Error('an end that nobody was told');
      if (state.kind === 'running' && next.state.kind === 'starting') throw new Error('went back');
      if (newTerminations > newStops) throw new Error('terminated without being asked');
      if (next.state.kind === 'running' && next.state.stop && newTerminations === 0)
        throw new Error('a stop was forgotten');
      if (state.stop && !next.state.stop) throw new Error('a stop was lost');
      paths += walk(next.state, newEnds, newTerminations, newStops, depth - 1);
    }
    return paths;
  }

  test('P9 has one end at most, forgets no stop and never goes back', () => {
    expect(walk({ kind: 'starting' }, 0, 0, 0, 7)).toBe(8 ** 7);
  });
});
