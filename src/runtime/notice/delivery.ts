/**
 * Delivers the notices of sessions with a webhook.
 *
 *   pending ──carried──▶ accepted: delivered
 *      ▲         └─────▶ refused, or no answer in time: again after a while ──▶ dead after the last attempt
 *      └── a person retries it
 *
 *   1. At least once: a host that dies between the answer and the store sends it again, under the same id.
 *   2. In the order of admission; one that has to wait for its next attempt does not hold up the others.
 *   3. One session waits for its own reader only.
 */
import type { Clock } from '../../ports/clock.js';
import type { SessionId } from '../../contract/ids.js';
import type { Courier, Handover } from '../../ports/courier.js';
import { attemptFailed, delivered, type RetryFigures, type Standing } from '../../domain/notice/settle.js';
import type { NoticeRecord, Numbered, SessionRecord, Store } from '../../ports/store.js';
import { Alarms } from '../alarms.js';
import type { Tell } from '../events.js';
import { RETRY_MS } from '../retry.js';
import type { News } from '../listeners.js';
import type { Notices } from './notices.js';
import { Drains } from '../drains.js';

const AT_ONCE = 100;

export type DeliveryParts = {
  readonly store: Store;
  readonly notices: Notices;
  readonly courier: Courier;
  readonly news: News;
  readonly clock: Clock;
  readonly figures: RetryFigures;
  /** What is sent: the notice as the API shows it, and the text for an agent. Made for each attempt. */
  readonly bodyOf: (notice: Numbered<NoticeRecord>, session: SessionRecord) => Promise<object>;
  readonly tell: Tell;
};

export class Delivery {
  readonly #drains: Drains<SessionId>;
  readonly #alarms: Alarms<SessionId>;
  readonly #stopping = new AbortController();
  #listening: Disposable | undefined;

  constructor(readonly parts: DeliveryParts) {
    this.#alarms = new Alarms(parts.clock);
    this.#drains = new Drains(
      (session) => this.#drain(session),
      (error) => parts.tell({ kind: 'fault', during: 'delivering notices', error }),
    );
  }

  /** What was owed when the last host ended is owed still. */
  async start(): Promise<void> {
    this.#listening = this.parts.news.listen((session) => void this.#drains.wake(session));
    for (const session of (await this.parts.store.notices.owed()).keys()) void this.#drains.wake(session);
  }

  async stop(): Promise<void> {
    this.#listening?.[Symbol.dispose]();
    this.#stopping.abort();
    this.#alarms.stop();
    await this.#drains.quiet();
  }

  async #drain(id: SessionId): Promise<void> {
    try {
      const session = await this.parts.store.sessions.get(id);
      if (!session?.webhook) return;
      for (const notice of await this.#due(id)) await this.#attempt(session, notice.id);
      await this.#comeBack(id);
    } catch (error) {
      this.#wakeIn(RETRY_MS, id);
      throw error;
    }
  }

  /** Nothing waits longer than the longest pause: what seems to was stored before the clock was set back. */
  #due(id: SessionId): Promise<readonly NoticeRecord[]> {
    const now = this.parts.clock.now();
    return this.parts.store.notices.due(id, now, AT_ONCE, now + this.parts.figures.longestRetryMs);
  }

  /** Reads the notice again before it is sent: its owner may have seen the end meanwhile. */
  async #attempt(session: SessionRecord, id: NoticeRecord['id']): Promise<void> {
    const notice = await this.parts.store.notices.get(id);
    if (this.#stopping.signal.aborted || !session.webhook || notice?.standing.kind !== 'pending') return;
    const body = await this.parts.bodyOf(notice, session);
    const handover = await this.parts.courier.carry(session.webhook, id, body, this.#stopping.signal);
    // After our own stop the outcome is unknown: the next host sends it again.
    if (handover.kind === 'refused' && this.#stopping.signal.aborted) return;
    this.parts.tell({ kind: 'noticeCarried', notice: id, outcome: handover.kind });
    await this.parts.notices.settle(id, (standing) => this.#after(standing, handover));
  }

  #after(standing: Standing, handover: Handover): Standing | string {
    const now = this.parts.clock.now();
    switch (handover.kind) {
      case 'accepted':
        return delivered(standing, 'webhook', now);
      case 'refused':
        return attemptFailed(standing, handover.why, now, this.parts.figures);
    }
  }

  /** Sets the alarm for what is due next. */
  async #comeBack(id: SessionId): Promise<void> {
    const nextAt = await this.parts.store.notices.nextDueAt(id);
    // A clock that was set back must not prolong it.
    if (nextAt === undefined) this.#alarms.clear(id);
    else this.#wakeIn(Math.min(nextAt - this.parts.clock.now(), this.parts.figures.longestRetryMs), id);
  }

  #wakeIn(ms: number, id: SessionId): void {
    this.#alarms.set(id, ms, () => void this.#drains.wake(id));
  }
}
