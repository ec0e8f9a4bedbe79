import { describe, expect, test } from 'vitest';
import { NoticeView, type NoticeState } from 'rouse/contract/notice';
import { canDismiss, canRetry, counted, heldBack, STATES } from '../../web/src/notice/notice-words.js';

const notice = (state: NoticeState): NoticeView =>
  NoticeView.parse({
    id: 'ntc_000000000000',
    kind: 'message',
    session: 'ses_000000000000',
    state,
    at: '2026-01-01T00:00:00.000Z',
    attempts: 0,
    seq: 1,
    line: 'A message',
    people: true,
    cause: { kind: 'message', text: 'hello', from: 'person' },
  });

describe('L9 a notice', () => {
  test('N11 can be tried again when it is dead, and let go while nobody has it', () => {
    expect(STATES.filter((state) => canRetry(notice(state)))).toEqual(['dead']);
    expect(STATES.filter((state) => canDismiss(notice(state)))).toEqual(['pending', 'dead']);
  });

  test('is counted with those of its state', () => {
    const counts = counted([notice('dead'), notice('pending'), notice('dead')]);
    expect(Object.fromEntries(counts)).toEqual({ dead: 2, pending: 1 });
  });

  test('W2 says how many matches were held back, where any can be', () => {
    expect(heldBack(notice('pending').cause)).toBe(0);
    const process = 'proc_000000000000';
    const { cause } = NoticeView.parse({
      ...notice('pending'),
      cause: { kind: 'watch_overflow_released', process, heldBack: 7 },
    });
    expect(heldBack(cause)).toBe(7);
  });
});
