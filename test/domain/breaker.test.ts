import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProcessId, SessionId } from '../../src/contract/ids.js';
import {
  closed,
  step,
  type Breaker,
  type BreakerEffect,
  type BreakerFigures,
} from '../../src/domain/notice/breaker.js';

const figures = { max: 15, windowMs: 10_000, silenceMs: 30_000 };
const DAY = 86_400_000;

const session = SessionId.parse('ses_000000000001');
const process = ProcessId.parse('proc_000000000001');
const tripper = (number: number) => ({ session, process, number });

type Event = { readonly at: number; readonly what: 'match' | 'tick' };
type Told = Readonly<Record<string, unknown>> & { readonly at: number };

/** Matches are numbered by their place in the script. */
function play(
  events: readonly Event[],
  by: BreakerFigures = figures,
  between: (state: Breaker) => Breaker = (state) => state,
): { told: readonly Told[]; state: Breaker } {
  let state = closed;
  const told: Told[] = [];
  events.forEach(({ at, what }, number) => {
    const input = what === 'match' ? ({ kind: 'match', who: tripper(number) } as const) : ({ kind: 'tick' } as const);
    const next = step(state, input, at, by);
    state = between(next.state);
    for (const effect of next.effects) told.push({ at, ...short(effect) });
  });
  return { told, state };
}

const short = (effect: BreakerEffect): Record<string, unknown> =>
  'by' in effect ? { ...effect, by: effect.by.number } : effect;

/** Whatever is not plain data is lost here, as it would be in the store. */
const restarted = (state: Breaker) => JSON.parse(JSON.stringify(state)) as Breaker;

const kinds = (told: readonly Told[]) => told.map(({ kind }) => kind);
const matches = (count: number, from: number, everyMs: number): Event[] =>
  Array.from({ length: count }, (_, n) => ({ at: from + n * everyMs, what: 'match' }));
const tick = (at: number): Event => ({ at, what: 'tick' });

describe('the breaker', () => {
  test('W5 passes 15 of 20 matches in one second, trips once, and releases with 5 when no further one comes', () => {
    const { told, state } = play([...matches(20, 0, 50), tick(30_749), tick(30_750), tick(99_000)]);
    expect(kinds(told)).toEqual([
      ...Array<string>(15).fill('pass'),
      'hold',
      'trip',
      ...Array<string>(4).fill('hold'),
      'release',
    ]);
    expect(told.find(({ kind }) => kind === 'trip')).toEqual({ at: 750, kind: 'trip', by: 15, until: 30_750 });
    expect(told.at(-1)).toEqual({ at: 30_750, kind: 'release', by: 15, heldBack: 5 });
    expect(state).toEqual(closed);
  });

  test('W5 releases first and then passes a match that comes when the time is up', () => {
    const { told } = play([...matches(16, 0, 0), ...matches(1, 30_000, 0)]);
    expect(told.slice(-2)).toEqual([
      { at: 30_000, kind: 'release', by: 15, heldBack: 1 },
      { at: 30_000, kind: 'pass' },
    ]);
  });

  test('W5 never trips over 15 in every 10 s', () => {
    const burst = (at: number) => matches(15, at, 0);
    expect(new Set(kinds(play([...burst(0), ...burst(10_000), ...burst(20_000)]).told))).toEqual(new Set(['pass']));
    expect(kinds(play([...burst(0), ...burst(9_999)]).told)).toContain('trip');
  });

  test('W5 counts anew after a release', () => {
    const { told } = play([...matches(16, 0, 0), ...matches(15, 30_000, 0)]);
    expect(kinds(told).slice(-15)).toEqual(Array<string>(15).fill('pass'));
  });

  test('W5 names the match that tripped it, by session, process and number', () => {
    const full: Breaker = { kind: 'closed', recent: Array<number>(15).fill(0) };
    expect(step(full, { kind: 'match', who: tripper(7) }, 1, figures).state).toEqual({
      kind: 'silent',
      until: 30_001,
      heldBack: 1,
      by: { session, process, number: 7 },
    });
  });

  test('W5 does not stretch a silence when the clock is set back by a day', () => {
    const { told } = play([...matches(16, DAY, 0), tick(0), tick(29_999), tick(30_000)]);
    expect(told.at(-1)).toEqual({ at: 30_000, kind: 'release', by: 15, heldBack: 1 });
    expect(kinds(told).filter((kind) => kind === 'release')).toHaveLength(1);
  });

  test('W5 forgets after a window what was stamped before the clock was set back', () => {
    const { told } = play([...matches(15, DAY, 0), tick(0), ...matches(15, 10_000, 0)]);
    expect(new Set(kinds(told))).toEqual(new Set(['pass']));
  });
});

/** The same story with the whole history on paper: each answer is worked out anew from everything before it. */
function expected(events: readonly Event[], { max, windowMs, silenceMs }: BreakerFigures): readonly Told[] {
  const told: Told[] = [];
  let passed: number[] = [];
  let silence: { since: number; held: number } | undefined;
  /** A moment as it looks after every later setting of the clock. */
  const earliest = (from: number, to: number) => Math.min(...events.slice(from, to + 1).map(({ at }) => at));
  events.forEach(({ at, what }, now) => {
    if (silence && at >= earliest(silence.since, now - 1) + silenceMs) {
      told.push({ at, kind: 'release', by: silence.since, heldBack: silence.held });
      [silence, passed] = [undefined, []];
    }
    passed = passed.filter((index) => at - earliest(index, now) < windowMs);
    if (what === 'tick') return;
    if (silence) silence.held += 1;
    else if (passed.length < max) passed.push(now);
    else silence = { since: now, held: 1 };
    told.push({ at, kind: silence ? 'hold' : 'pass' });
    if (silence?.since === now) told.push({ at, kind: 'trip', by: now, until: at + silenceMs });
  });
  return told;
}

describe('every path', () => {
  const few = { max: 2, windowMs: 10, silenceMs: 30 };
  const moves: readonly (readonly [afterMs: number, what: Event['what']])[] = [
    [1, 'match'],
    [9, 'match'],
    [30, 'match'],
    [-DAY, 'match'],
    [1, 'tick'],
    [30, 'tick'],
  ];

  function walk(events: readonly Event[], now: number, depth: number): number {
    if (depth === 0) {
      const [real, wanted] = [play(events, few).told, expected(events, few)];
      if (JSON.stringify(real) !== JSON.stringify(wanted)) expect({ events, real }).toEqual({ events, real: wanted });
      return 1;
    }
    let paths = 0;
    for (const [afterMs, what] of moves) {
      const at = now + afterMs;
      paths += walk([...events, { at, what }], at, depth - 1);
    }
    return paths;
  }

  test('W5 tells what the whole history on paper says, over every path of eight inputs', () => {
    expect(walk([{ at: 0, what: 'match' }], 0, 7)).toBe(6 ** 7);
  });
});

describe('any schedule', () => {
  const pace = fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 0, max: 1_000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 9_000, max: 40_000 }) },
    { weight: 1, arbitrary: fc.constant(-DAY) },
  );
  const what = fc.oneof(
    { weight: 9, arbitrary: fc.constant('match' as const) },
    { weight: 1, arbitrary: fc.constant('tick' as const) },
  );
  const schedule = fc.array(fc.tuple(pace, what), { maxLength: 100, size: 'max' }).map((moves) => {
    let at = 0;
    return moves.map(([afterMs, what]): Event => ({ at: (at += afterMs), what }));
  });

  test('W5 W9 tells what the whole history on paper says, restarted between any two inputs', () => {
    fc.assert(
      fc.property(schedule, (events) => {
        expect(play(events, figures, restarted).told).toEqual(expected(events, figures));
      }),
      { numRuns: 1_000 },
    );
  });

  test('W5 answers each match once, and holds back exactly what the releases and the open silence count', () => {
    fc.assert(
      fc.property(schedule, (events) => {
        const { told, state } = play(events);
        const count = (kind: string) => told.filter((one) => one['kind'] === kind).length;
        const released = told.reduce((sum, one) => sum + Number(one['heldBack'] ?? 0), 0);
        expect(count('pass') + count('hold')).toBe(events.filter(({ what }) => what === 'match').length);
        expect(released + (state.kind === 'silent' ? state.heldBack : 0)).toBe(count('hold'));
        expect(count('trip') - count('release')).toBe(state.kind === 'silent' ? 1 : 0);
      }),
      { numRuns: 1_000 },
    );
  });
});
