/** Which browsers are told of what, on a clock and with a push service of our own, over a real store. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BrowserId, NoticeId, QuestionId, TurnId } from '../../src/contract/ids.js';
import type { EntryBody } from '../../src/contract/journal.js';
import type { Alert } from '../../src/contract/alert.js';
import type { PushFate, Subscription } from '../../src/ports/push.js';
import { News } from '../../src/runtime/listeners.js';
import { Notices } from '../../src/runtime/notice/notices.js';
import { Presence, Pusher } from '../../src/runtime/people/pusher.js';
import { Subscriptions } from '../../src/runtime/people/subscriptions.js';
import type { SessionRecord } from '../../src/ports/store.js';
import { SqliteStore } from '../../src/store/sqlite/store.js';
import { FakeClock } from '../agent/fake-clock.js';
import { sessionId } from '../domain/causes.js';
import { sessionOf } from '../store/notice-conformance.js';
import { allowed } from '../support/allowed.js';
import { newFolder, onCleanUp } from '../support/clean-up.js';
import { until } from '../support/until.js';

const FIGURES = { attempts: 3, firstRetryMs: 1_000, longestRetryMs: 60_000, delayMs: 2_000 };
const MINUTE = 60_000;
const turn = TurnId.parse('turn_00000000000c');
const phone = BrowserId.parse('brw_0000000phone');
const laptop = BrowserId.parse('brw_000000laptop');

type Fate = (name: string, attempt: number) => PushFate | Promise<PushFate>;

async function scene(fate: Fate = () => ({ kind: 'accepted' }), session: Partial<SessionRecord> = {}) {
  const clock = new FakeClock();
  clock.advance(10 * MINUTE);
  const store = await SqliteStore.open(join(newFolder(), 'rouse.db'), clock);
  onCleanUp(() => store.close());
  await store.transact((t) => t.sessions.insert(sessionOf(sessionId, session)));
  const news = new News();
  const presence = new Presence();
  const signedOut = new Set<BrowserId>();
  const sent: string[] = [];
  const tags: string[] = [];
  const outcomes: string[] = [];
  const push = {
    newKeys: () => ({ publicKey: 'public', privateKey: 'private' }),
    check: () => undefined,
    send: async (_: unknown, { endpoint }: Subscription, { body, tag }: Alert, signal: AbortSignal) => {
      tags.push(tag);
      const stopped = new Promise<PushFate>((resolve) => {
        signal.addEventListener('abort', () => resolve({ kind: 'later', why: 'aborted' }));
      });
      return Promise.race([fate(endpoint, sent.push(`${endpoint}: ${body}`)), stopped]);
    },
  };

  /** A host over the same store; the last one is gone. */
  const host = async () => {
    const subscriptions = new Subscriptions(store, push.newKeys);
    await subscriptions.recall();
    const browsers = { isSignedIn: (browser: BrowserId) => !signedOut.has(browser) };
    const tell = (event: { kind: string }) => void outcomes.push(event.kind);
    const figures = FIGURES;
    const redact = (text: string) => text;
    const parts = { store, subscriptions, push, presence, browsers, news, clock, redact, figures, tell };
    const pusher = new Pusher(parts);
    pusher.start();
    const stop = () => pusher.stop();
    onCleanUp(stop);
    return { subscriptions, pusher, stop };
  };

  const write = async (...bodies: readonly EntryBody[]) => {
    const entries = bodies.map((body) => ({ turn, at: clock.now(), body }));
    const written = await store.transact((t) => t.journal.append(sessionId, entries));
    news.notify(sessionId);
    return written.map(({ seq }) => seq) as [number, ...number[]];
  };
  const answer = (text: string) => write({ kind: 'text', text }, { kind: 'turnEnded', reason: 'finished' });
  const subscription = (name: string): Subscription => ({ endpoint: name, keys: { p256dh: 'p', auth: 'a' } });
  /** What came in so many, in whichever order. */
  const comes = async (count: number) => {
    await until(`${count} words were sent`, () => sent.length >= count);
    return sent.toSorted();
  };
  return { clock, store, news, presence, signedOut, sent, tags, outcomes, host, write, answer, subscription, comes };
}

/** Until everything that is there was looked at. */
const reached = (subscriptions: Subscriptions, browser: BrowserId, seq: number) =>
  until(`${browser} has come to ${seq}`, () => (subscriptions.of(browser)?.after ?? 0) >= seq);

test('tells every browser that wants it, a moment after the answer, and only from its subscription on', async () => {
  const { clock, host, answer, subscription, comes } = await scene();
  const { subscriptions } = await host();
  await answer('Long ago.');
  await subscriptions.add(phone, subscription('phone'));
  await subscriptions.add(laptop, subscription('laptop'));
  await answer('Built.');
  expect(await clock.nextAlarm()).toBe(clock.now() + FIGURES.delayMs);
  await until('both wait', () => clock.alarms === 2);
  clock.advance(FIGURES.delayMs);
  expect(await comes(2)).toEqual(['laptop: Built.', 'phone: Built.']);
});

test('leaves a browser whose page is open to its page, and does not tell it afterwards either', async () => {
  const { clock, presence, host, answer, subscription, comes, sent } = await scene();
  const { subscriptions, pusher } = await host();
  await subscriptions.add(phone, subscription('phone'));
  await subscriptions.add(laptop, subscription('laptop'));
  const page = presence.opened(laptop);
  const [, last = 0] = await answer('Built.');
  await until('both wait', () => clock.alarms === 2);
  clock.advance(FIGURES.delayMs);
  await comes(1);
  await reached(subscriptions, laptop, last);
  page[Symbol.dispose]();
  await pusher.look();
  expect(sent).toEqual(['phone: Built.']);
});

test('does not tell what a person has seen meanwhile, nor a question that was answered meanwhile', async () => {
  const { clock, store, host, answer, write, subscription, sent } = await scene();
  const { subscriptions } = await host();
  await subscriptions.add(phone, subscription('phone'));
  const [text] = await answer('Built.');
  await clock.nextAlarm();
  await store.transact((t) => t.sessions.see(sessionId, text));
  const question = QuestionId.parse('qst_00000000000d');
  const [asked] = await write({ kind: 'question', question, text: 'Which?', about: { kind: 'clarify' } });
  clock.advance(FIGURES.delayMs);
  await reached(subscriptions, phone, asked);
  expect(sent).toEqual([]);
});

test('N12 tells of a notice that nobody is woken by, once', async () => {
  const { clock, store, news, host, subscription, comes, sent } = await scene(undefined, { agent: 'none' });
  const { subscriptions } = await host();
  await subscriptions.add(phone, subscription('phone'));
  const newId = () => NoticeId.parse('ntc_000000000001');
  const notices = new Notices({ store, clock, newId, news, tell: () => undefined });
  const { notice } = allowed(await notices.add(sessionId, 'deployed', { from: 'ci' }));
  await clock.ringNext();
  await comes(1);
  await store.transact((t) => notices.suppressAll(t, sessionId, 'dismissed', 'person'));
  news.notify(sessionId);
  await reached(subscriptions, phone, (await store.notices.get(notice.id))?.seq ?? 0);
  expect(sent).toEqual(['phone: Message from ci: deployed']);
});

test('goes on where the last host ended: once, and not with what is older than an hour', async () => {
  const { clock, host, answer, subscription, comes, sent } = await scene();
  const first = await host();
  await first.subscriptions.add(phone, subscription('phone'));
  await answer('Old.');
  await first.stop();
  clock.advance(61 * MINUTE);
  const [, last = 0] = await answer('New.');
  const second = await host();
  await clock.ringNext();
  await comes(1);
  await reached(second.subscriptions, phone, last);
  await second.stop();
  const third = await host();
  await third.pusher.look();
  clock.advance(FIGURES.delayMs);
  await third.pusher.look();
  expect(sent).toEqual(['phone: New.']);
});

test('forgets a browser that its push service does not know any more, for good', async () => {
  const { clock, host, answer, subscription, comes } = await scene(() => ({ kind: 'gone' }));
  const { subscriptions } = await host();
  await subscriptions.add(phone, subscription('phone'));
  await answer('Built.');
  await clock.ringNext();
  await comes(1);
  await until('it is forgotten', () => subscriptions.all.length === 0);
  expect((await host()).subscriptions.all).toEqual([]);
});

test('forgets a browser that is signed out, before another alert goes out', async () => {
  const { host, answer, subscription, signedOut, sent } = await scene();
  const { subscriptions } = await host();
  await subscriptions.add(phone, subscription('phone'));
  signedOut.add(phone);
  await answer('Built.');
  await until('it is forgotten', () => subscriptions.all.length === 0);
  expect(sent).toEqual([]);
});

test('tries again when the service cannot take it, later each time, and gives up after the last', async () => {
  const { clock, host, answer, subscription, comes, tags, outcomes } = await scene((_, attempt) =>
    attempt < 4 ? { kind: 'later', why: 'busy', ...(attempt === 1 && { afterMs: 5_000 }) } : { kind: 'accepted' },
  );
  const { subscriptions } = await host();
  await subscriptions.add(phone, subscription('phone'));
  await answer('First.');
  const [, last = 0] = await answer('Second.');
  const began = await clock.ringNext();
  expect([(await clock.ringNext()) - began, (await clock.ringNext()) - began]).toEqual([5_000, 7_000]);
  expect(await comes(4)).toEqual(['phone: First.', 'phone: First.', 'phone: First.', 'phone: Second.']);
  await reached(subscriptions, phone, last);
  expect(new Set(tags).size).toBe(2);
  expect(outcomes).toEqual(['pushed', 'pushed', 'pushed', 'pushed']);
});

test('does not try again what somebody has seen during the pause', async () => {
  const { clock, store, host, answer, subscription, comes, sent } = await scene(() => ({ kind: 'later', why: 'busy' }));
  const { subscriptions } = await host();
  await subscriptions.add(phone, subscription('phone'));
  const [text, last = 0] = await answer('Built.');
  await clock.ringNext();
  await comes(1);
  await clock.nextAlarm();
  await store.transact((t) => t.sessions.see(sessionId, text));
  await clock.ringNext();
  await reached(subscriptions, phone, last);
  expect(sent).toHaveLength(1);
});

test('lets no browser wait for the push service of another, and leaves what hung to the next host', async () => {
  const hung = new Promise<PushFate>(() => undefined);
  let hangs = true;
  const { clock, host, answer, subscription, comes, sent } = await scene((name) =>
    name === 'phone' && hangs ? hung : { kind: 'accepted' },
  );
  const first = await host();
  await first.subscriptions.add(phone, subscription('phone'));
  await first.subscriptions.add(laptop, subscription('laptop'));
  for (const text of ['One.', 'Two.', 'Three.']) {
    const [, last = 0] = await answer(text);
    await until('it waits', () => clock.alarms > 0);
    clock.advance(FIGURES.delayMs);
    await reached(first.subscriptions, laptop, last);
  }
  expect(sent.toSorted()).toEqual(['laptop: One.', 'laptop: Three.', 'laptop: Two.', 'phone: One.']);
  await first.stop();
  hangs = false;
  await host();
  await clock.ringNext();
  expect((await comes(7)).slice(3)).toEqual(['phone: One.', 'phone: One.', 'phone: Three.', 'phone: Two.']);
});

test('keeps one subscription for one browser, and one for one endpoint', async () => {
  const { host, subscription } = await scene();
  const { subscriptions } = await host();
  await subscriptions.add(phone, subscription('one'));
  await subscriptions.add(phone, subscription('two'));
  await subscriptions.add(laptop, subscription('two'));
  expect(subscriptions.all).toMatchObject([{ browser: laptop, endpoint: 'two' }]);
});
