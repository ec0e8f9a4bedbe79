/**
 * Tells browsers whose page is closed, each on its own way through the changes.
 *
 *   changes after its number ──worth an alert?──▶ its page is closed ──▶ push service ──▶ its number, stored
 *
 *   1. At least once, under the same tag: a host that dies between the push and the store sends it again.
 *   2. A browser waits for its own push service only.
 *   3. A browser with an open page gets no push: its page shows it.
 *   4. Nothing of a browser that is not signed in any more goes out.
 */
import { pause, type Clock } from '../../ports/clock.js';
import type { BrowserId, NoticeId } from '../../contract/ids.js';
import type { Entry } from '../../contract/journal.js';
import { LOOK_BACK, mayAlert, alertForEntry, alertForNotice, type Alert } from '../../contract/alert.js';
import { isStillNews, pauseAfter, timeliness } from '../../domain/people/push-timing.js';
import type { RetryFigures } from '../../domain/notice/settle.js';
import type { Push, PushFate } from '../../ports/push.js';
import type { Store } from '../../ports/store.js';
import { Alarms } from '../alarms.js';
import type { Tell } from '../events.js';
import { changesAfter, type Change } from './feed.js';
import type { News } from '../listeners.js';
import { RETRY_MS } from '../retry.js';
import type { Subscribed, Subscriptions } from './subscriptions.js';
import { Drains } from '../drains.js';
import { noticeView } from '../notice/notice-view.js';

export type PusherParts = {
  readonly store: Store;
  readonly subscriptions: Subscriptions;
  readonly push: Push;
  readonly presence: Presence;
  readonly browsers: { isSignedIn(browser: BrowserId): boolean };
  readonly news: News;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  readonly figures: RetryFigures & { readonly delayMs: number };
  readonly tell: Tell;
};

/** What came of one change for one browser. */
type Outcome = 'passed by' | 'settled' | 'too early' | 'not told' | 'gone';

const AT_ONCE = 100;

/** Which browsers show the live view now, in any of their tabs. */
export class Presence {
  readonly #views = new Map<BrowserId, number>();

  /** Until it is disposed of, which is done once. */
  opened(browser: BrowserId): Disposable {
    this.#count(browser, 1);
    return { [Symbol.dispose]: () => this.#count(browser, -1) };
  }

  isHere(browser: BrowserId): boolean {
    return this.#views.has(browser);
  }

  #count(browser: BrowserId, more: 1 | -1): void {
    const views = (this.#views.get(browser) ?? 0) + more;
    if (views > 0) this.#views.set(browser, views);
    else this.#views.delete(browser);
  }
}

export class Pusher {
  readonly #drains: Drains<BrowserId>;
  readonly #alarms: Alarms<BrowserId>;
  readonly #stopping = new AbortController();
  #listening: Disposable | undefined;
  #startedAt = 0;

  constructor(readonly parts: PusherParts) {
    this.#drains = new Drains(
      (browser) => this.#drain(browser),
      (error, browser) => {
        parts.tell({ kind: 'fault', during: 'pushing words', error });
        this.#wakeIn(RETRY_MS, browser);
      },
    );
    this.#alarms = new Alarms(parts.clock);
  }

  /** What was to be told when the last host ended still is, if it is fresh. */
  start(): void {
    this.#startedAt = this.parts.clock.now();
    this.#listening = this.parts.news.listen(() => void this.look());
    void this.look();
  }

  async look(): Promise<void> {
    await Promise.all(this.parts.subscriptions.all.map(({ browser }) => this.#drains.wake(browser)));
  }

  async stop(): Promise<void> {
    this.#listening?.[Symbol.dispose]();
    this.#stopping.abort();
    this.#alarms.stop();
    await this.#drains.quiet();
  }

  async #drain(browser: BrowserId): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const subscribed = this.parts.subscriptions.of(browser);
      if (!subscribed) return;
      if (!this.parts.browsers.isSignedIn(browser)) return await this.parts.subscriptions.remove(browser);
      const { changes, upTo } = await changesAfter(this.parts.store, subscribed.after, AT_ONCE, undefined);
      if (!(await this.#goOn(subscribed, changes))) return;
      this.parts.subscriptions.pass(browser, upTo);
      if (changes.length < AT_ONCE) return;
    }
  }

  /** True when it came to the end of these changes. */
  async #goOn(subscribed: Subscribed, changes: readonly Change[]): Promise<boolean> {
    const { subscriptions } = this.parts;
    const { browser } = subscribed;
    for (const change of changes) {
      const outcome = await this.#take(subscribed, change);
      switch (outcome) {
        case 'passed by':
          subscriptions.pass(browser, change.seq);
          break;
        case 'settled':
          await subscriptions.reach(browser, change.seq);
          break;
        case 'gone':
          await subscriptions.remove(browser);
          return false;
        case 'too early':
        case 'not told':
          return false;
      }
    }
    return true;
  }

  async #take(subscribed: Subscribed, change: Change): Promise<Outcome> {
    if (change.kind === 'entry' && !mayAlert(change.entry)) return 'passed by';
    const { clock, figures } = this.parts;
    const { at } = change.kind === 'entry' ? change.entry : change.notice;
    const when = timeliness(at, clock.now(), { delayMs: figures.delayMs, startedAt: this.#startedAt });
    switch (when.kind) {
      case 'stale':
        return 'settled';
      case 'in':
        this.#wakeIn(when.ms, subscribed.browser);
        return 'too early';
      case 'now':
        return this.#send(subscribed, change);
    }
  }

  /** Checks again before every attempt: a person may have opened the page, or seen it elsewhere. */
  async #send(subscribed: Subscribed, change: Change): Promise<Outcome> {
    const { clock, presence, figures } = this.parts;
    for (let tries = 1; ; tries++) {
      const alert = await this.#wordOn(change);
      if (!alert || presence.isHere(subscribed.browser)) return 'settled';
      const fate = await this.#attempt(subscribed, alert);
      // Broken off by our own stop, nothing is known: the next host sends it again.
      if (fate.kind !== 'accepted' && this.#stopping.signal.aborted) return 'not told';
      if (fate.kind === 'gone') return 'gone';
      const pauseMs = fate.kind === 'later' ? pauseAfter(tries, fate.afterMs, figures) : undefined;
      if (pauseMs === undefined) return 'settled';
      await pause(clock, pauseMs, this.#stopping.signal);
      if (this.#stopping.signal.aborted) return 'not told';
    }
  }

  /** The push for a change, as things stand now. */
  #wordOn(change: Change): Promise<Alert | undefined> {
    return change.kind === 'entry' ? this.#onEntry(change.entry) : this.#onNotice(change.notice.id);
  }

  async #onEntry(entry: Entry): Promise<Alert | undefined> {
    const { store, redact } = this.parts;
    const session = await store.sessions.get(entry.session);
    const before = await store.journal.before(entry.session, entry.seq, LOOK_BACK);
    const alert = session && alertForEntry(entry, before, session, redact);
    const question = entry.kind === 'question' ? entry.question : undefined;
    return alert && isStillNews(alert, session, question) ? alert : undefined;
  }

  async #onNotice(id: NoticeId): Promise<Alert | undefined> {
    const notice = await this.parts.store.notices.get(id);
    const session = notice && (await this.parts.store.sessions.get(notice.session));
    const alert = session && alertForNotice(noticeView(notice, session), session);
    return alert && isStillNews(alert, session) ? alert : undefined;
  }

  async #attempt(subscribed: Subscribed, alert: Alert): Promise<PushFate> {
    const { push, subscriptions, tell } = this.parts;
    const fate = await push.send(subscriptions.keys, subscribed, alert, this.#stopping.signal);
    const why = fate.kind === 'later' || fate.kind === 'refused' ? { why: fate.why } : {};
    tell({ kind: 'pushed', browser: subscribed.browser, outcome: fate.kind, ...why });
    return fate;
  }

  #wakeIn(ms: number, browser: BrowserId): void {
    this.#alarms.set(browser, ms, () => void this.#drains.wake(browser));
  }
}
