import { expect, test } from 'vitest';
import type { LiveEvent } from '../../src/contract/event.js';
import { SessionId, TurnId } from '../../src/contract/ids.js';
import { LiveBatch } from '../../src/runtime/session/live-events.js';

const [one, two] = ['1', '2'].map((number) => SessionId.parse(`ses_${number.repeat(12)}`)) as [SessionId, SessionId];
const turn = TurnId.parse('turn_000000000001');
const words = (session: SessionId, text: string, of: 'text' | 'reasoning' = 'text'): LiveEvent => ({
  session,
  turn,
  kind: 'delta',
  of,
  text,
});
const cleared: LiveEvent = { session: one, turn, kind: 'cleared' };

test('L5 joins the words of one step, whatever others say between them, and nothing over the end of a step', () => {
  const batch = new LiveBatch();
  for (const event of [
    words(one, 'hm', 'reasoning'),
    words(one, 'It '),
    words(two, 'Yes'),
    words(one, 'is'),
    cleared,
    words(one, 'so'),
    words(two, '.'),
  ])
    batch.add(event);
  expect(batch.take()).toEqual([
    words(one, 'hm', 'reasoning'),
    words(one, 'It is'),
    words(two, 'Yes.'),
    cleared,
    words(one, 'so'),
  ]);
  expect(batch.take()).toEqual([]);
});
