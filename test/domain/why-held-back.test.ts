import { expect, test } from 'vitest';
import { whyHeldBack } from '../../src/domain/notice/why.js';
import type { Watch } from '../../src/domain/notice/watch.js';
import { processId, sessionId } from './causes.js';

const process = { id: processId, command: 'make', session: sessionId };
const holding = (count: number, silenced: boolean): Watch => ({
  kind: 'open',
  strikes: 0,
  held: { count, last: { pattern: 'x', text: 'x', number: 0 }, silenced },
});
const why = (watch: Watch | undefined, silentUntil?: number) =>
  whyHeldBack(process, watch, { silentUntil, time: (at) => `T${at}` });

test('N14 says which matches are held back, by what and until when', () => {
  expect(why(holding(1, true), 30)).toEqual([
    'Rouse is holding back 1 match of `make` (proc_00000000000a) until T30, because too many lines matched at once. It then notifies session ses_00000000000b (W5).',
  ]);
  expect(why(holding(2, true))).toEqual([
    expect.stringContaining('2 matches of `make` (proc_00000000000a) for a moment longer'),
  ]);
  expect(why(holding(2, false), 30)).toEqual([
    'Rouse is holding back 2 matches of `make` (proc_00000000000a), because it reported another match shortly before. The next notice, or the end of the process, reports the count (W2).',
  ]);
});

test('N14 says nothing where nothing is held back', () => {
  const ended: Watch = { kind: 'ended', heldBack: 3 };
  expect([why(undefined), why({ kind: 'open', strikes: 1 }), why(ended)]).toEqual([[], [], []]);
});
