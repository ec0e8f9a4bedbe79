/** The watch machine against the same story told from the end, with the whole history on paper. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { step, watching, type WatchEffect, type WatchInput } from '../../src/domain/watch.js';

const COOLDOWN = 15_000;
const DAY = 86_400_000;
const figures = { cooldownMs: COOLDOWN, strikes: 3 };

type Event = { readonly at: number; readonly what: 'match' | 'silenceLast' | 'processEnded' };

/** What was told, as [when, what, how many were held back before it]. */
type Told = readonly [at: number, kind: WatchEffect['kind'], heldBack: number];
type Story = { readonly told: readonly Told[]; readonly untold: number };

const match = (more = 0): WatchInput => ({
  kind: 'match',
  match: { pattern: 'ERROR', text: 'ERROR', number: 0 },
  more,
});

/** Runs the machine; `silenceLast` takes back the notice that was told last, if nothing came in between. */
function run(events: readonly Event[]): Story {
  let state = watching;
  let told: Told[] = [];
  let fresh: Told | undefined;
  for (const { at, what } of events) {
    if (what === 'silenceLast') {
      if (!fresh) continue;
      told = told.filter((one) => one !== fresh);
      state = step(state, { kind: 'silenced', heldBack: fresh[2] }, at, figures).state;
      fresh = undefined;
      continue;
    }
    const next = step(state, what === 'match' ? match() : { kind: 'processEnded' }, at, figures);
    const tolds = next.effects.map((effect): Told => [at, effect.kind, effect.heldBack]);
    told.push(...tolds);
    fresh = tolds.find(([, kind]) => kind === 'notify');
    state = next.state;
  }
  return { told, untold: state.heldBack };
}

type Window = { readonly begins: number; ends: number; readonly held: number[]; silenced: boolean };

/** The windows of a whole history, with no regard to strikes: each begins with the first match behind the last. */
function windowsOf(events: readonly Event[]): readonly Window[] {
  const windows: Window[] = [];
  events.forEach(({ at, what }, index) => {
    const last = windows.at(-1);
    if (what === 'silenceLast' && last && events[index - 1]?.what === 'match' && last.held.length === 0)
      last.silenced = true;
    if (what !== 'match') return;
    if (last && at < last.ends) {
      last.ends = Math.min(last.ends, at + COOLDOWN);
      last.held.push(at);
    } else windows.push({ begins: at, ends: at + COOLDOWN, held: [], silenced: false });
  });
  return windows;
}

/** The same story told from the end: what a person with the whole history on paper would expect. */
function expected(events: readonly Event[]): Story {
  const end = events.findIndex(({ what }) => what === 'processEnded');
  const windows = windowsOf(end < 0 ? events : events.slice(0, end));
  const told: Told[] = [];
  let untold = 0;
  for (const [index, window] of windows.entries()) {
    if (window.silenced) untold += 1;
    else {
      told.push([window.begins, 'notify', untold]);
      untold = 0;
    }
    const lastThree = windows.slice(Math.max(0, index - 2), index + 1);
    const adjacent = lastThree.every((one, n) => n === 0 || one.begins < (lastThree[n - 1]?.ends ?? 0) + COOLDOWN);
    if (lastThree.length === 3 && adjacent && lastThree.every(({ held }) => held.length > 0)) {
      told.push([window.held[0] ?? 0, 'disable', untold + 1]);
      return { told, untold: 0 };
    }
    untold += window.held.length;
  }
  return { told, untold };
}

describe('every path', () => {
  const moves: readonly (readonly [afterMs: number, what: Event['what']])[] = [
    [10, 'match'],
    [COOLDOWN, 'match'],
    [2 * COOLDOWN, 'match'],
    [-DAY, 'match'],
    [0, 'silenceLast'],
    [0, 'processEnded'],
  ];

  function walk(events: readonly Event[], now: number, depth: number): number {
    if (depth === 0) {
      const [real, wanted] = [run(events), expected(events)];
      if (JSON.stringify(real) !== JSON.stringify(wanted)) expect({ events, ...real }).toEqual({ events, ...wanted });
      return 1;
    }
    let paths = 0;
    for (const [afterMs, what] of moves) {
      const at = now + afterMs;
      paths += walk([...events, { at, what }], at, depth - 1);
    }
    return paths;
  }

  test('W2 W3 W4 W6 tells what the whole history on paper says, over every path of eight inputs', () => {
    expect(walk([{ at: 0, what: 'match' }], 0, 7)).toBe(6 ** 7);
  });
});

function matchesBeforeTheEnd(events: readonly Event[]): number {
  let state = watching;
  let matches = 0;
  for (const { at, what } of events) {
    if (what === 'match' && state.kind !== 'ended') matches += 1;
    if (what !== 'silenceLast')
      state = step(state, what === 'match' ? match() : { kind: 'processEnded' }, at, figures).state;
  }
  return matches;
}

describe('any schedule', () => {
  const pace = fc.oneof(
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: 14_990, max: 15_010 }),
    fc.integer({ min: 0, max: 40_000 }),
    fc.constant(-DAY),
  );
  const what = fc.oneof(
    { weight: 10, arbitrary: fc.constant('match' as const) },
    { weight: 3, arbitrary: fc.constant('silenceLast' as const) },
    { weight: 1, arbitrary: fc.constant('processEnded' as const) },
  );
  const schedule = fc.array(fc.tuple(pace, what), { maxLength: 60 }).map((moves) => {
    let at = 0;
    return moves.map(([afterMs, what]): Event => {
      at += what === 'match' ? afterMs : 0;
      return { at, what };
    });
  });

  test('W2 W3 W4 W6 tells what the whole history on paper says', () => {
    fc.assert(
      fc.property(schedule, (events) => {
        expect(run(events)).toEqual(expected(events));
      }),
      { numRuns: 2_000 },
    );
  });

  test('W2 counts every match exactly once: told, held back and told later, or still untold', () => {
    fc.assert(
      fc.property(schedule, (events) => {
        const { told, untold } = run(events);
        const counted = told.reduce((sum, [, kind, heldBack]) => sum + heldBack + Number(kind === 'notify'), untold);
        expect(counted).toBe(matchesBeforeTheEnd(events));
      }),
      { numRuns: 2_000 },
    );
  });

  test('W2 treats many lines of one read as so many matches at the same instant', () => {
    const reads = fc.array(fc.tuple(pace, fc.integer({ min: 0, max: 3 })), { maxLength: 20 });
    fc.assert(
      fc.property(reads, (reads) => {
        let [together, apart] = [watching, watching];
        let at = 0;
        for (const [afterMs, more] of reads) {
          at += afterMs;
          const once = step(together, match(more), at, figures);
          const steps = Array.from({ length: more + 1 }, () => {
            const next = step(apart, match(), at, figures);
            apart = next.state;
            return next.effects;
          });
          together = once.state;
          expect(once.effects).toEqual(steps.flat());
          expect(together).toEqual(apart);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
