/** Creates, changes and closes sessions. */
import type { SessionId } from '../../contract/ids.js';
import type { NewSession, SessionChanges, SessionView } from '../../contract/session.js';
import { newSession, stateOf, type Input } from '../../domain/session/mailbox.js';
import type { SessionChange, SessionRecord, Webhook } from '../../ports/store.js';
import type { MailboxParts, Mailboxes } from './mailboxes.js';
import type { Supervisor } from '../process/supervisor.js';

/** More unread entries are shown as this many. */
const MOST_UNREAD = 99;

const iso = (instant: number) => new Date(instant).toISOString();

export type SessionParts = Pick<MailboxParts, 'store' | 'notices' | 'news' | 'clock'> & {
  readonly supervisor: Supervisor;
  readonly mailboxes: Mailboxes;
  readonly newSessionId: () => SessionId;
  readonly newWebhookSecret: () => string;
};

export class Sessions {
  constructor(readonly parts: SessionParts) {}

  /** With a known key it returns that session as it is. */
  async create(wanted: NewSession): Promise<{ readonly session: SessionRecord; readonly outcome: 'made' | 'known' }> {
    const now = this.parts.clock.now();
    const { title, agent = 'rouse', model, key, people = 'all', wakes = 'always' } = wanted;
    const record: SessionRecord = {
      id: this.parts.newSessionId(),
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
    const known = await this.parts.store.transact(async ({ sessions }) => {
      const there = key ? await sessions.byKey(key) : undefined;
      if (!there) await sessions.insert(record);
      return there;
    });
    if (!known) this.parts.news.notify(record.id);
    return known ? { session: known, outcome: 'known' } : { session: record, outcome: 'made' };
  }

  /**
   * Closing settles what is owed in the same transaction: there are no wakes afterwards. Another model lifts a pause, and
   * what is owed is served with that model.
   */
  async change({ id, closedAt }: SessionRecord, changes: SessionChanges): Promise<SessionRecord | undefined> {
    const now = this.parts.clock.now();
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
    await this.parts.mailboxes.post(id, async (transaction, before) => {
      await transaction.sessions.update(id, change);
      if (closed) await this.parts.notices.suppressAll(transaction, id, 'session moved on', 'person');
      const otherModel = model !== undefined && model !== (before.model ?? null);
      const inputs: readonly Input[] = [
        ...(closed === undefined ? [] : [{ kind: closed ? 'closed' : 'reopened' } as const]),
        ...(otherModel ? [{ kind: 'pauseLifted' } as const] : []),
      ];
      return { result: undefined, posting: { inputs, session: await transaction.sessions.get(id) } };
    });
    return this.parts.store.sessions.get(id);
  }

  /** Marks entries as seen, at most up to the newest. */
  async see({ id }: SessionRecord, seq: number): Promise<void> {
    const upTo = Math.min(seq, await this.parts.store.head());
    await this.parts.store.transact(({ sessions }) => sessions.see(id, upTo), 'crash');
    this.parts.news.notify(id);
  }

  async views(records: readonly SessionRecord[]): Promise<readonly SessionView[]> {
    const owed = await this.parts.store.notices.owed();
    return records.map((record) => this.#view(record, owed.get(record.id) ?? 0));
  }

  async view(record: SessionRecord): Promise<SessionView> {
    return this.#view(record, await this.parts.store.notices.owedTo(record.id));
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
      running: this.parts.supervisor.unfinished.filter(({ session }) => session === record.id).length,
      waiting: record.mailbox.queued.length,
      unread: Math.min(record.unread, MOST_UNREAD),
      seenSeq: record.seenSeq,
    };
  }

  #webhook({ url, secret }: { readonly url: string; readonly secret?: string | undefined }): Webhook {
    return { url, secret: secret ?? this.parts.newWebhookSecret() };
  }
}
