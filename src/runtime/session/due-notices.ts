/** Tells mailboxes what their sessions are owed. Advice comes as news; what is owed stands in the store. */
import type { Clock } from '../../ports/clock.js';
import type { SessionId } from '../../contract/ids.js';
import type { Owed } from '../../domain/notice/owed.js';
import type { NoticeRecord, Store } from '../../ports/store.js';
import type { Tell } from '../events.js';
import type { Mailboxes } from './mailboxes.js';
import type { News } from '../listeners.js';
import { Wakes } from '../wakes.js';

const AT_ONCE = 500;

export class DueNotices {
  readonly #drains: Wakes<SessionId>;
  #listening: Disposable | undefined;

  constructor(
    readonly store: Store,
    readonly mailboxes: Mailboxes,
    readonly news: News,
    readonly clock: Clock,
    tell: Tell,
  ) {
    this.#drains = new Wakes(
      (session) => this.#drain(session),
      (error) => tell({ kind: 'fault', during: 'looking into an dueNotices', error }),
    );
  }

  /** What was owed when the last host ended is owed still. */
  async start(): Promise<void> {
    this.#listening = this.news.listen((session) => void this.#drains.wake(session));
    await this.look();
  }

  /** The net under the news. */
  async look(): Promise<void> {
    for (const session of (await this.store.notices.owed()).keys()) void this.#drains.wake(session);
  }

  async stop(): Promise<void> {
    this.#listening?.[Symbol.dispose]();
    await this.#drains.quiet();
  }

  async #drain(id: SessionId): Promise<void> {
    const session = await this.store.sessions.get(id);
    // A webhook is a reader of its own; where nobody answers, nobody is woken.
    if (!session || session.webhook || session.agent === 'none') return;
    const known = new Set(session.mailbox.due.map(({ notice }) => notice));
    const due = await this.store.notices.due(id, this.clock.now(), AT_ONCE);
    const fresh = due.filter((notice) => !known.has(notice.id));
    if (fresh.length === 0) return;
    const notices = await Promise.all(fresh.map((notice) => this.#owed(notice)));
    await this.mailboxes.post(id, async (transaction) => {
      // Somebody may have settled one since it was read.
      const owed: Owed[] = [];
      for (const one of notices)
        if ((await transaction.notices.get(one.notice))?.standing.kind === 'pending') owed.push(one);
      return {
        result: undefined,
        ...(owed.length > 0 && { posting: { inputs: [{ kind: 'noticeDue', notices: owed }] } }),
      };
    });
  }

  async #owed({ id, cause, process }: NoticeRecord): Promise<Owed> {
    const generation = process && (await this.store.processes.get(process))?.generation;
    return {
      notice: id,
      kind: cause.kind !== 'watch_match' ? 'fact' : cause.end ? 'lastMatch' : 'match',
      ...(generation !== undefined && { startedIn: generation }),
    };
  }
}
