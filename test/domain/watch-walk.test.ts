/** The watch machine against the same story told from the end, with the whole history on paper. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  step,
  watching,
  type Found,
  type Watch,
  type WatchEffect,
  type WatchInput,
} from '../../src/domain/notice/watch.js';

const COOLDOWN = 15_000;
const DAY = 86_400_000;
const figures = { cooldownMs: COOLDOWN, strikes: 3 };

/** `endFound`: the process ends, and the last search of its output finds a match. */
type What = 'match' | 'silenceLast' | 'released' | 'processEnded' | 'endFound';
type Event = { readonly at: number; readonly what: What };

/** What was told, as [when, what, the number of the line, how many others were held back before it]. */
type Told = readonly [at: number, kind: WatchEffect['kind'], line: number, heldBack: number];
type Story = { readonly told: readonly Told[]; readonly untold: number };

const isMatch = (what: What): boolean => what === 'match' || what === 'endFound';

const found = (number: number, more = 0): Found => {
  const line = (at: number) => ({ pattern: 'ERROR', text: 'ERROR', number: at });
  return { match: line(number), more, ...(more > 0 && { last: line(number + more) }) };
};

function inputOf(what: Exclude<What, 'silenceLast'>, number: number): WatchInput {
  switch (what) {
    case 'match':
      return { kind: 'match', found: found(number) };
    case 'released':
      return { kind: 'released' };
    case 'processEnded':
      return { kind: 'processEnded' };
    case 'endFound':
      return { kind: 'processEnded', found: found(number) };
  }
}

const toldOf = (at: number, effect: WatchEffect): Told =>
  effect.kind === 'disable'
    ? [at, 'disable', -1, effect.heldBack]
    : [at, effect.kind, effect.match.number, effect.heldBack];

const untoldOf = (watch: Watch): number => (watch.kind === 'ended' ? watch.heldBack : (watch.held?.count ?? 0));

/** Runs the machine; `silenceLast` takes back the notice that was told last, if nothing came in between. */
function run(events: readonly Event[]): Story {
  let state = watching;
  let told: Told[] = [];
  let fresh: WatchEffect | undefined;
  events.forEach(({ at, what }, number) => {
    if (what === 'silenceLast') {
      if (fresh?.kind !== 'notify') return;
      told = told.slice(0, -1);
      state = step(state, { ...fresh, kind: 'silenced' }, at, figures).state;
      fresh = undefined;
      return;
    }
    const next = step(state, inputOf(what, number), at, figures);
    told.push(...next.effects.map((effect) => toldOf(at, effect)));
    fresh = next.effects.find(({ kind }) => kind === 'notify');
    state = next.state;
  });
  return { told, untold: untoldOf(state) };
}

/** A stretch of time in which nothing is told. `opening` is the match that began it; a release begins one without. */
type Window = {
  readonly begins: number;
  ends: number;
  readonly opening: number | undefined;
  readonly held: number[];
  silenced: boolean;
};

/** The same story told from the end: what a person with the whole history on paper would expect. */
function expected(events: readonly Event[]): Story {
  const windows: Window[] = [];
  const told: Told[] = [];
  /** Lines that nobody was told of, in order; and whether one of them met the breaker's silence. */
  let untold: number[] = [];
  let met = false;
  const tell = (entry: Told): void => {
    told.push(entry);
    untold = [];
    met = false;
  };
  const running = (at: number): Window | undefined => {
    const last = windows.at(-1);
    if (!last || at >= last.ends) return undefined;
    last.ends = Math.min(last.ends, at + COOLDOWN);
    return last;
  };
  const open = (at: number, opening: number | undefined): number =>
    windows.push({ begins: at, ends: at + COOLDOWN, opening, held: [], silenced: false });

  for (const [number, { at, what }] of events.entries()) {
    const window = running(at);
    switch (what) {
      case 'match':
        if (!window) {
          open(at, number);
          tell([at, 'notify', number, untold.length]);
          break;
        }
        window.held.push(number);
        untold.push(number);
        if (window.held.length === 1 && threeInARow(windows)) {
          told.push([at, 'disable', -1, untold.length]);
          return { told, untold: 0 };
        }
        break;
      case 'silenceLast': {
        const last = told.at(-1);
        if (last?.[1] !== 'notify' || last[2] !== number - 1) break;
        told.pop();
        untold = [...events.keys()].filter((line) => line < number && isUntold(line, events, told));
        met = true;
        break;
      }
      case 'released':
        if (!met) break;
        if (window) window.ends = at;
        open(at, undefined);
        tell([at, 'report', untold.at(-1) ?? -1, untold.length - 1]);
        break;
      case 'processEnded':
      case 'endFound': {
        const all = what === 'endFound' ? [...untold, number] : untold;
        const named = what === 'endFound' ? number : untold.at(-1);
        if (named !== undefined) tell([at, 'report', named, all.length - 1]);
        return { told, untold: 0 };
      }
    }
  }
  return { told, untold: untold.length };
}

/** Whether a line matched and stands behind the last notice: every notice covers all that came before it. */
function isUntold(line: number, events: readonly Event[], told: readonly Told[]): boolean {
  const [lastAt, , lastLine] = told.at(-1) ?? [0, 'notify', -1, 0];
  const release = events.findLastIndex(({ at, what }) => what === 'released' && at === lastAt);
  const covered = told.at(-1)?.[1] === 'report' ? Math.max(lastLine, release) : lastLine;
  return events[line]?.what === 'match' && line > covered;
}

/** Each of the last three held something back, and began before the one before had been quiet for as long as it lasted. */
function threeInARow(windows: readonly Window[]): boolean {
  const last = windows.slice(-3);
  const adjacent = last.every((one, n) => n === 0 || one.begins < (last[n - 1]?.ends ?? 0) + COOLDOWN);
  return last.length === 3 && adjacent && last.every(({ held }) => held.length > 0);
}

const moves: readonly (readonly [afterMs: number, what: What])[] = [
  [10, 'match'],
  [COOLDOWN, 'match'],
  [2 * COOLDOWN, 'match'],
  [-DAY, 'match'],
  [0, 'silenceLast'],
  [5, 'released'],
  [0, 'processEnded'],
  [0, 'endFound'],
];

describe('every path', () => {
  const isOver = (what: What) => what === 'processEnded' || what === 'endFound';

  function walk(events: readonly Event[], now: number, depth: number): number {
    if (depth === 0 || isOver(events.at(-1)?.what ?? 'match')) {
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

  test('W2 W3 W4 W5 W6 tells what the whole history on paper says, over every path of seven inputs', () => {
    const goingOn = moves.length - 2;
    const paths = 2 * Array.from({ length: 6 }, (_, n) => goingOn ** n).reduce((sum, n) => sum + n, 0) + goingOn ** 6;
    expect(walk([{ at: 0, what: 'match' }], 0, 6)).toBe(paths);
  });

  test.each(['match', 'released', 'processEnded', 'endFound'] as const)(
    'W6 tells nothing for %s after the end',
    (what) => {
      const ends: WatchInput[] = [inputOf('processEnded', 0), inputOf('endFound', 0)];
      for (const end of ends) {
        const { state } = step(watching, end, 0, figures);
        expect(step(state, inputOf(what, 1), 1, figures)).toEqual({ state, effects: [] });
      }
    },
  );
});

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
    { weight: 2, arbitrary: fc.constant('released' as const) },
  );
  const end = fc.constantFrom<readonly What[]>([], ['processEnded'], ['endFound']);
  const schedule = fc.tuple(fc.array(fc.tuple(pace, what), { maxLength: 60 }), end).map(([moves, end]) => {
    let at = 0;
    const before = moves.map(([afterMs, what]): Event => {
      at += what === 'match' ? afterMs : 0;
      return { at, what };
    });
    return [...before, ...end.map((what): Event => ({ at, what }))];
  });

  test('W2 W3 W4 W5 W6 tells what the whole history on paper says', () => {
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
        const counted = told.reduce((sum, [, kind, , held]) => sum + held + Number(kind !== 'disable'), untold);
        const over = events.findIndex((_, last) => isDisabled(run(events.slice(0, last + 1))));
        const before = over < 0 ? events : events.slice(0, over + 1);
        expect(counted).toBe(before.filter(({ what }) => isMatch(what)).length);
      }),
      { numRuns: 2_000 },
    );
  });

  const isDisabled = ({ told }: Story): boolean => told.at(-1)?.[1] === 'disable';

  test('W2 treats many lines of one read as so many matches at the same instant', () => {
    const reads = fc.array(fc.tuple(pace, fc.integer({ min: 0, max: 3 })), { maxLength: 20 });
    fc.assert(
      fc.property(reads, (reads) => {
        let [together, apart] = [watching, watching];
        let at = 0;
        let number = 0;
        for (const [afterMs, more] of reads) {
          at += afterMs;
          const once = step(together, { kind: 'match', found: found(number, more) }, at, figures);
          const steps = Array.from({ length: more + 1 }, (_, line) => {
            const next = step(apart, { kind: 'match', found: found(number + line) }, at, figures);
            apart = next.state;
            return next.effects;
          });
          number += more + 1;
          together = once.state;
          // Only the count of a disabling differs: one by one, it does not know of the lines that follow.
          const kinds = (effects: readonly WatchEffect[]) => effects.map(({ kind }) => kind);
          expect(kinds(once.effects)).toEqual(kinds(steps.flat()));
          expect(together).toEqual(apart);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
