/** Posts due notices to the mailboxes of their sessions. News is a hint to look; the store knows what is due. */
import type { SessionId } from '../../contract/ids.js';
import { owedAs, readerOf, type Owed } from '../../domain/notice/owed.js';
import type { NoticeRecord } from '../../ports/store.js';
import type { Mailboxes } from './mailboxes.js';
import { Drains } from '../drains.js';

const AT_ONCE = 500;

export class DueNotices {
  readonly #drains: Drains<SessionId>;
  #listening: Disposable | undefined;

  constructor(readonly mailboxes: Mailboxes) {
    this.#drains = new Drains(
      (session) => this.#drain(session),
      (error) => mailboxes.parts.tell({ kind: 'fault', during: 'posting due notices', error }),
    );
  }

  /** What was owed when the last host ended is still owed. */
  async start(): Promise<void> {
    this.#listening = this.mailboxes.parts.news.listen((session) => void this.#drains.wake(session));
    await this.look();
  }

  /** Runs from time to time, in case news was lost. */
  async look(): Promise<void> {
    for (const session of (await this.mailboxes.parts.store.notices.owed()).keys()) void this.#drains.wake(session);
  }

  async stop(): Promise<void> {
    this.#listening?.[Symbol.dispose]();
    await this.#drains.quiet();
  }

  async #drain(id: SessionId): Promise<void> {
    const { store, clock } = this.mailboxes.parts;
    const session = await store.sessions.get(id);
    if (!session || readerOf(session) !== 'agent') return;
    const known = new Set(session.mailbox.due.map(({ notice }) => notice));
    const due = await store.notices.due(id, clock.now(), AT_ONCE);
    const fresh = due.filter((notice) => !known.has(notice.id));
    if (fresh.length === 0) return;
    const read = await Promise.all(fresh.map((notice) => this.#owed(notice)));
    await this.mailboxes.post(id, async (transaction) => {
      const notices: Owed[] = [];
      // One may have been settled since it was read.
      for (const owed of read)
        if ((await transaction.notices.get(owed.notice))?.standing.kind === 'pending') notices.push(owed);
      return { result: undefined, posting: { inputs: [{ kind: 'noticeDue', notices }] } };
    });
  }

  async #owed({ id, cause, process }: NoticeRecord): Promise<Owed> {
    const startedIn = process && (await this.mailboxes.parts.store.processes.get(process))?.generation;
    return owedAs(id, cause, startedIn);
  }
}
