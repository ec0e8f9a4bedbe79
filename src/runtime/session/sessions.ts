/** Sessions: made, changed, closed. */
import { iso, type Clock } from '../../ports/clock.js';
import type { SessionId } from '../../contract/ids.js';
import type { NewSession, SessionChanges, SessionView } from '../../contract/session.js';
import { newSession, stateOf, type Input } from '../../domain/session/mailbox.js';
import type { SessionChange, SessionRecord, Store, Webhook } from '../../ports/store.js';
import type { Mailboxes } from './mailboxes.js';
import type { News } from '../listeners.js';
import type { Notices } from '../notice/notices.js';
import type { Supervisor } from '../process/supervisor.js';

/** More than a person counts. */
const MOST_UNREAD = 99;

export class Sessions {
  constructor(
    readonly store: Store,
    readonly supervisor: Supervisor,
    readonly notices: Notices,
    readonly mailboxes: Mailboxes,
    readonly news: News,
    readonly clock: Clock,
    readonly newId: () => SessionId,
    readonly newSecret: () => string,
  ) {}

  /** With the key of a session that is there: that one, as it is. */
  async create(wanted: NewSession): Promise<{ readonly session: SessionRecord; readonly outcome: 'made' | 'known' }> {
    const now = this.clock.now();
    const { title, agent = 'rouse', model, key, people = 'all', wakes = 'always' } = wanted;
    const record: SessionRecord = {
      id: this.newId(),
      ...(title && { title }),
      agent,
      ...(model && { model }),
      ...(key && { key }),
      people,
      wakes,
      ...(wanted.webhook && { webhook: this.#webhook(wanted.webhook) }),
      mailbox: newSession,
      contextFrom: 0,
      seenSeq: 0,
      unread: 0,
      createdAt: now,
      updatedAt: now,
    };
    const known = await this.store.transact(async ({ sessions }) => {
      const there = key ? await sessions.byKey(key) : undefined;
      if (!there) await sessions.insert(record);
      return there;
    });
    if (!known) this.news.notify(record.id);
    return known ? { session: known, outcome: 'known' } : { session: record, outcome: 'made' };
  }

  /**
   * Closing settles what is owed in the same transaction: nothing is woken afterwards. Another model lifts a pause, and
   * what is owed is served with that model.
   */
  async change({ id, closedAt }: SessionRecord, changes: SessionChanges): Promise<SessionRecord | undefined> {
    const now = this.clock.now();
    const { webhook, closed, title, model, people, wakes } = changes;
    const change: SessionChange = {
      updatedAt: now,
      ...(title && { title }),
      ...(model !== undefined && { model }),
      ...(people && { people }),
      ...(wakes && { wakes }),
      ...(webhook !== undefined && { webhook: webhook && this.#webhook(webhook) }),
      ...(closed !== undefined && { closedAt: closed ? (closedAt ?? now) : null }),
    };
    await this.mailboxes.post(id, async (transaction, before) => {
      await transaction.sessions.update(id, change);
      if (closed) await this.notices.suppressAll(transaction, id, 'session moved on', 'person');
      const otherModel = model !== undefined && model !== (before.model ?? null);
      const inputs: readonly Input[] = [
        ...(closed === undefined ? [] : [{ kind: closed ? 'closed' : 'reopened' } as const]),
        ...(otherModel ? [{ kind: 'pauseLifted' } as const] : []),
      ];
      return { result: undefined, posting: { inputs, session: await transaction.sessions.get(id) } };
    });
    return this.store.sessions.get(id);
  }

  /** A number that was not given yet cannot have been seen. */
  async see({ id }: SessionRecord, seq: number): Promise<void> {
    const upTo = Math.min(seq, await this.store.head());
    await this.store.transact(({ sessions }) => sessions.see(id, upTo), 'crash');
    this.news.notify(id);
  }

  async views(records: readonly SessionRecord[]): Promise<readonly SessionView[]> {
    const owed = await this.store.notices.owed();
    return records.map((record) => this.#view(record, owed.get(record.id) ?? 0));
  }

  async view(record: SessionRecord): Promise<SessionView> {
    return this.#view(record, await this.store.notices.owedTo(record.id));
  }

  #view(record: SessionRecord, owed: number): SessionView {
    return {
      id: record.id,
      title: record.title ?? 'Untitled',
      agent: record.agent,
      ...(record.model && { model: record.model }),
      state: stateOf(record.mailbox),
      ...(record.mailbox.pause && { pausedWhy: record.mailbox.pause.why }),
      generation: record.mailbox.generation,
      people: record.people,
      wakes: record.wakes,
      ...(record.webhook && { webhook: { url: record.webhook.url } }),
      createdAt: iso(record.createdAt),
      updatedAt: iso(record.updatedAt),
      ...(record.closedAt !== undefined && { closedAt: iso(record.closedAt) }),
      owed,
      running: this.supervisor.unfinished.filter(({ session }) => session === record.id).length,
      waiting: record.mailbox.queued.length,
      unread: Math.min(record.unread, MOST_UNREAD),
      seenSeq: record.seenSeq,
    };
  }

  #webhook({ url, secret }: { readonly url: string; readonly secret?: string | undefined }): Webhook {
    return { url, secret: secret ?? this.newSecret() };
  }
}
