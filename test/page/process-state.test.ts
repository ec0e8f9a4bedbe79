import { describe, expect, test } from 'vitest';
import { ranMs, describeState } from '../../web/src/process/process-state.js';
import { aProcess } from './a-process.js';

const stop = { by: 'person', signal: 'SIGTERM', at: '2026-01-01T00:00:01.000Z' };

describe('L9 the state of a process', () => {
  test.each([
    ['running', {}, 'running', 'live'],
    ['P22 one that sits in a read', { waitingForInput: true }, 'waits for input', 'accent'],
    ['one that was asked to end', { stop, waitingForInput: true }, 'ending', 'accent'],
    ['a good end', { state: 'ended', end: { kind: 'exited', code: 0 } }, 'exit 0', 'good'],
    ['a bad end', { state: 'ended', end: { kind: 'exited', code: 3 } }, 'exit 3', 'trouble'],
    [
      'P7 a signal',
      { state: 'ended', end: { kind: 'signalled', signal: 'SIGTERM', by: 'person' } },
      'SIGTERM',
      'trouble',
    ],
    ['P14 a fate nobody knows', { state: 'ended', end: { kind: 'lost', why: 'a restart' } }, 'lost', 'trouble'],
  ] as const)('tells %s', (_, otherwise, words, tone) => {
    expect(describeState(aProcess('one', otherwise))).toMatchObject({ words, tone });
  });

  test('P7 says by whom it was killed, where anybody knows', () => {
    const killed = (by?: string) =>
      describeState(
        aProcess('one', { state: 'ended', end: { kind: 'signalled', signal: 'SIGKILL', ...(by && { by }) } }),
      );
    expect(killed('person').by).toBe('person');
    expect(killed()).not.toHaveProperty('by');
  });

  test('says who asked for an end that came with an exit code', () => {
    const asked = aProcess('one', { state: 'ended', stop, end: { kind: 'exited', code: 143 } });
    expect(describeState(asked).more).toContain('person');
  });

  test('counts up to the end, and up to now while there is none', () => {
    const startedAt = '2026-01-01T00:00:00.000Z';
    const now = Date.parse('2026-01-01T01:00:00.000Z');
    expect(ranMs(aProcess('one', { startedAt }), now)).toBe(3_600_000);
    expect(ranMs(aProcess('one', { startedAt, endedAt: '2026-01-01T00:00:05.000Z' }), now)).toBe(5_000);
  });
});
