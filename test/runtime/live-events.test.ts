import { expect, test } from 'vitest';
import type { LiveEvent } from '../../src/contract/feed.js';
import { SessionId, TurnId } from '../../src/contract/ids.js';
import { Moment } from '../../src/runtime/moment.js';

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
  const moment = new Moment();
  for (const event of [
    words(one, 'hm', 'reasoning'),
    words(one, 'It '),
    words(two, 'Yes'),
    words(one, 'is'),
    cleared,
    words(one, 'so'),
    words(two, '.'),
  ])
    moment.add(event);
  expect(moment.take()).toEqual([
    words(one, 'hm', 'reasoning'),
    words(one, 'It is'),
    words(two, 'Yes.'),
    cleared,
    words(one, 'so'),
  ]);
  expect(moment.take()).toEqual([]);
});
