import { describe, expect, test } from 'vitest';
import {
  step,
  watching,
  type Match,
  type Watch,
  type WatchEffect,
  type WatchInput,
} from '../../src/domain/notice/watch.js';

const figures = { cooldownMs: 15_000, strikes: 3 };
const DAY = 86_400_000;

type Script = readonly (readonly [at: number, input: WatchInput])[];

const line = (text: string): Match => ({ pattern: 'ERROR', text, number: 0 });
const match = (text: string): WatchInput => ({ kind: 'match', found: { match: line(text), more: 0 } });
const silenced = (text: string, heldBack = 0): WatchInput => ({ kind: 'silenced', match: line(text), heldBack });
const released: WatchInput = { kind: 'released' };
const processEnded: WatchInput = { kind: 'processEnded' };

/** What was told, as [when, what, how many were held back before it]. */
type Told = readonly [at: number, kind: WatchEffect['kind'], heldBack: number];

function play(script: Script): { told: readonly Told[]; state: Watch } {
  let state = watching;
  const told: Told[] = [];
  for (const [at, input] of script) {
    const next = step(state, input, at, figures);
    // Whatever is not plain data would be lost here, as it would be in the store.
    state = JSON.parse(JSON.stringify(next.state)) as Watch;
    for (const effect of next.effects) told.push([at, effect.kind, effect.heldBack]);
  }
  return { told, state };
}

describe('the watch machine', () => {
  test('W1 tells the first match with its pattern, its line and its number', () => {
    const first = { pattern: 'ERROR', text: 'ERROR a', number: 17 };
    expect(step(watching, { kind: 'match', found: { match: first, more: 0 } }, 0, figures).effects).toEqual([
      { kind: 'notify', match: first, heldBack: 0 },
    ]);
  });

  test('W2 holds back the rest of the window and tells the count with the next notice', () => {
    const { told } = play([
      [0, match('ERROR a')],
      [1_000, match('ERROR b')],
      [14_999, match('ERROR c')],
      [15_000, match('ERROR d')],
      [30_000, match('ERROR e')],
    ]);
    expect(told).toEqual([
      [0, 'notify', 0],
      [15_000, 'notify', 2],
      [30_000, 'notify', 0],
    ]);
  });

  test('W3 counts many matches inside one window as one strike', () => {
    const { told, state } = play([
      [0, match('ERROR a')],
      [1_000, match('ERROR b')],
      [2_000, match('ERROR c')],
    ]);
    expect(told).toHaveLength(1);
    const held = { count: 2, last: line('ERROR c'), silenced: false };
    expect(state).toEqual({ kind: 'cooling', until: 15_000, strikes: 1, held, struck: true });
  });

  test('W3 disables at the first match held back in the third struck window in a row, and tells nothing after', () => {
    const { told, state } = play([
      [0, match('a')],
      [1, match('b')],
      [15_000, match('c')],
      [15_001, match('d')],
      [15_002, match('e')],
      [30_000, match('f')],
      [30_001, match('g')],
      [30_002, match('h')],
      [90_000, match('i')],
    ]);
    expect(told).toEqual([
      [0, 'notify', 0],
      [15_000, 'notify', 1],
      [30_000, 'notify', 2],
      [30_001, 'disable', 1],
    ]);
    expect(state).toEqual({ kind: 'ended', heldBack: 0 });
  });

  test('W3 tells how many strikes ended it', () => {
    const held = { count: 4, last: line('d'), silenced: false };
    const struckTwice: Watch = { kind: 'cooling', until: 15_000, strikes: 2, held, struck: false };
    expect(step(struckTwice, match('a'), 1, figures).effects).toEqual([{ kind: 'disable', heldBack: 5, strikes: 3 }]);
  });

  test('W3 counts all of the matches that were held back when it is disabled, not only the first of a read', () => {
    const found = { match: line('1'), more: 49, last: line('50') };
    const { effects } = step(watching, { kind: 'match', found }, 0, { ...figures, strikes: 1 });
    expect(effects).toEqual([
      { kind: 'notify', match: line('1'), heldBack: 0 },
      { kind: 'disable', heldBack: 49, strikes: 1 },
    ]);
  });

  test('W3 tells a minute of ERROR every 10 ms three times, then disables, then is silent', () => {
    const minute: Script = Array.from({ length: 6_000 }, (_, line) => [line * 10, match('ERROR')] as const);
    expect(play([...minute, [60_000, processEnded]])).toEqual({
      told: [
        [0, 'notify', 0],
        [15_000, 'notify', 1_499],
        [30_000, 'notify', 1_499],
        [30_010, 'disable', 1],
      ],
      state: { kind: 'ended', heldBack: 0 },
    });
  });

  test('W4 forgets the strikes after a window with nothing held back', () => {
    const struck = (at: number): Script => [
      [at, match('a')],
      [at + 1, match('b')],
    ];
    const { told } = play([...struck(0), ...struck(15_000), [30_000, match('alone')], ...struck(45_000)]);
    expect(told.map(([, kind]) => kind)).toEqual(['notify', 'notify', 'notify', 'notify']);
  });

  test('W4 forgets the strikes after a struck window that was followed by as long a quiet', () => {
    const twice: Script = [
      [0, match('a')],
      [1, match('b')],
      [15_000, match('c')],
      [15_001, match('d')],
    ];
    const third = (at: number): Script => [
      [at, match('e')],
      [at + 1, match('f')],
    ];
    expect(play([...twice, ...third(44_999)]).told.at(-1)).toEqual([45_000, 'disable', 1]);
    expect(play([...twice, ...third(45_000)]).told.at(-1)).toEqual([45_000, 'notify', 1]);
  });

  test('W5 counts a notice that the breaker silenced with what it would have told, and keeps the window', () => {
    const { told, state } = play([
      [0, match('a')],
      [1, match('b')],
      [15_000, match('c')],
      [15_000, silenced('c', 1)],
      [15_001, match('d')],
      [30_000, match('e')],
    ]);
    expect(told.at(-1)).toEqual([30_000, 'notify', 3]);
    expect(state).toEqual({ kind: 'cooling', until: 45_000, strikes: 2, struck: false });
  });

  test('W5 makes no strike of what the breaker silenced', () => {
    const all: Script = [0, 15_000, 30_000, 45_000].flatMap((at, index) => [
      [at, match('a')] as const,
      [at, silenced('a', index)] as const,
    ]);
    expect(play(all).state).toMatchObject({ kind: 'cooling', strikes: 0, held: { count: 4, silenced: true } });
  });

  test('W5 reports what was silenced when the silence is over: the last line, the count, and once', () => {
    const before: Script = [
      [0, match('a')],
      [0, silenced('a')],
      [1, match('b')],
      [2, match('c')],
    ];
    const { state } = play(before);
    expect(step(state, released, 30_000, figures)).toEqual({
      state: { kind: 'cooling', until: 45_000, strikes: 0, struck: false },
      effects: [{ kind: 'report', match: line('c'), heldBack: 2 }],
    });
    const { told } = play([...before, [30_000, released], [30_001, released], [44_999, match('d')]]);
    expect(told).toEqual([
      [0, 'notify', 0],
      [30_000, 'report', 2],
    ]);
  });

  test('W5 releases nothing that only its own window held back', () => {
    expect(
      play([
        [0, match('a')],
        [1, match('b')],
        [2, released],
      ]).told,
    ).toEqual([[0, 'notify', 0]]);
  });

  test('W6 reports what was held back with the end of the process, and nothing after', () => {
    const { told, state } = play([
      [0, match('a')],
      [1, match('b')],
      [2, match('c')],
      [3, processEnded],
      [20_000, match('d')],
      [20_001, processEnded],
      [20_002, released],
    ]);
    expect(told).toEqual([
      [0, 'notify', 0],
      [3, 'report', 1],
    ]);
    expect(state).toEqual({ kind: 'ended', heldBack: 0 });
  });

  test('W6 names the first match at the end, or the last when a window was running', () => {
    const found = { match: line('x'), more: 2, last: line('z') };
    const end: WatchInput = { kind: 'processEnded', found };
    expect(step(watching, end, 0, figures).effects).toEqual([{ kind: 'report', match: line('x'), heldBack: 2 }]);
    const { state } = play([
      [0, match('a')],
      [1, match('b')],
    ]);
    expect(step(state, end, 2, figures).effects).toEqual([{ kind: 'report', match: line('z'), heldBack: 3 }]);
    expect(step(state, end, 15_000, figures).effects).toEqual([{ kind: 'report', match: line('x'), heldBack: 3 }]);
    expect(step(watching, processEnded, 0, figures).effects).toEqual([]);
  });

  test('W2 does not stretch a window when the clock is set back by a day', () => {
    const { told } = play([
      [DAY, match('a')],
      [0, match('b')],
      [14_999, match('c')],
      [15_000, match('d')],
    ]);
    expect(told.at(-1)).toEqual([15_000, 'notify', 2]);
  });
});
