import { expect, test } from 'vitest';
import { QuestionId } from '../../src/contract/ids.js';
import type { Alert } from '../../src/contract/alert.js';
import { FRESH_MS, isStillNews, pauseAfter, timeliness } from '../../src/domain/people/push-timing.js';
import { newSession, type Mailbox } from '../../src/domain/session/mailbox.js';

const HOUR = 3_600_000;
const figures = { delayMs: 2_000, startedAt: 0 };

test('waits a moment, so that whoever looks has seen it', () => {
  expect(timeliness(10_000, 10_500, figures)).toEqual({ kind: 'in', ms: 1_500 });
  expect(timeliness(10_000, 12_000, figures)).toEqual({ kind: 'now' });
});

test('waits a moment after the start of a host, so that open pages come back first', () => {
  expect(timeliness(10_000, 60_500, { ...figures, startedAt: 60_000 })).toEqual({ kind: 'in', ms: 1_500 });
  expect(timeliness(10_000, 62_000, { ...figures, startedAt: 60_000 })).toEqual({ kind: 'now' });
});

test('waits no longer because the clock was set back', () => {
  expect(timeliness(HOUR, 0, figures)).toEqual({ kind: 'in', ms: 2_000 });
});

test('tells nothing from before the last hour', () => {
  expect(timeliness(0, FRESH_MS, figures)).toEqual({ kind: 'now' });
  expect(timeliness(0, FRESH_MS + 1, figures)).toEqual({ kind: 'stale' });
});

const alert: Alert = { seq: 7, title: 'Builds', body: 'Done.', tag: 'x-7', url: '/' };
const asked = QuestionId.parse('qst_00000000000d');
const waiting: Mailbox = {
  ...newSession,
  turn: { generation: 1, by: 'person', phase: { kind: 'waiting', questions: [asked] } },
};

test('is no news to whoever has seen it, on any device', () => {
  expect(isStillNews(alert, { seenSeq: 6, mailbox: newSession })).toBe(true);
  expect(isStillNews(alert, { seenSeq: 7, mailbox: newSession })).toBe(false);
});

test('is no news in a session that is closed', () => {
  expect(isStillNews(alert, { seenSeq: 0, mailbox: newSession, closedAt: 5 })).toBe(false);
});

test('T11 is news as long as the question waits', () => {
  expect(isStillNews(alert, { seenSeq: 0, mailbox: waiting }, asked)).toBe(true);
  expect(isStillNews(alert, { seenSeq: 0, mailbox: waiting }, QuestionId.parse('qst_00000000000e'))).toBe(false);
  expect(isStillNews(alert, { seenSeq: 0, mailbox: newSession }, asked)).toBe(false);
});

test('tries again a few times, later each time, by the wish of the service and never too late', () => {
  const retry = { attempts: 4, firstRetryMs: 1_000, longestRetryMs: 3_000 };
  expect([1, 2, 3, 4].map((tries) => pauseAfter(tries, undefined, retry))).toEqual([1_000, 2_000, 3_000, undefined]);
  expect(pauseAfter(1, 2_500, retry)).toBe(2_500);
  expect(pauseAfter(1, 60_000, retry)).toBe(3_000);
});
