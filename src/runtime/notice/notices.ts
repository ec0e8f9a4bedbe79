/**
 * Notices: admitted in the transaction of their cause, settled exactly once.
 *
 *   1. A notice exists if and only if its cause was stored with it.
 *   2. Every change of its standing is decided by `domain/settle` on what the store holds at that moment.
 *   3. Listeners of a session are notified after the commit, and read the store.
 */
import type { Clock } from '../../ports/clock.js';
import type { NoticeId, ProcessId, SessionId, TurnId } from '../../contract/ids.js';
import type { Cause } from '../../contract/notice.js';
import { isRefusal, refuse, type Refusal } from '../../contract/refusal.js';
import {
  born,
  consumed,
  dismissed,
  retried,
  suppressed,
  type Standing,
  type Suppression,
} from '../../domain/notice/settle.js';
import type { NoticeFilter, NoticeRecord, Numbered, Store, Transaction } from '../../ports/store.js';
import type { Tell } from '../events.js';
import type { News } from '../listeners.js';

export type NewNotice = {
  readonly session: SessionId;
  readonly process?: ProcessId;
  readonly number?: number;
  readonly key?: string;
  readonly cause: Cause;
};

export type NoticeParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => NoticeId;
  readonly news: News;
  readonly tell: Tell;
};

export class Notices {
  constructor(readonly parts: NoticeParts) {}

  /** Inside the transaction of its cause. What the session does not want, or is closed for, is settled at once. */
  async admit(transaction: Transaction, notice: NewNotice): Promise<NoticeRecord | 'duplicate'> {
    const session = await transaction.sessions.get(notice.session);
    const at = this.parts.clock.now();
    const closed = !session || session.closedAt !== undefined;
    const standing = born(notice.cause, { closed, policy: session?.wakes ?? 'never' }, at);
    const record: NoticeRecord = { ...notice, id: this.parts.newId(), at, standing };
    return (await transaction.notices.admit(record)) === 'admitted' ? record : 'duplicate';
  }

  async admitAll(transaction: Transaction, notices: readonly NewNotice[]): Promise<(NoticeRecord | 'duplicate')[]> {
    const admitted: (NoticeRecord | 'duplicate')[] = [];
    for (const notice of notices) admitted.push(await this.admit(transaction, notice));
    return admitted;
  }

  /** Announces after the commit what was admitted. */
  announce(notices: readonly (NoticeRecord | 'duplicate')[]): void {
    for (const notice of notices) {
      if (notice === 'duplicate') continue;
      this.parts.tell({ kind: 'noticeAdmitted', notice: notice.id, of: notice.cause.kind, session: notice.session });
      this.parts.news.notify(notice.session);
    }
  }

  /** Announces after the commit what another transaction settled. */
  announceSettled(notices: readonly NoticeRecord[]): void {
    for (const notice of notices) this.#changed(notice);
  }

  /** A message from outside. The same key and text again return the notice that has the key; another text is refused. */
  async add(
    session: SessionId,
    text: string,
    { key, from }: { key?: string | undefined; from: string },
  ): Promise<{ readonly notice: NoticeRecord; readonly outcome: 'admitted' | 'duplicate' } | Refusal> {
    const added = await this.parts.store.transact(async (transaction) => {
      const known = key === undefined ? undefined : await transaction.notices.byKey(session, key);
      if (known)
        return saysTheSame(known, text) ? { notice: known, outcome: 'duplicate' as const } : keyTaken(session, known);
      const cause: Cause = { kind: 'message', text, from };
      const notice = await this.admit(transaction, { session, cause, ...(key !== undefined && { key }) });
      if (notice === 'duplicate') throw new Error(`A message for ${session} met an id that was taken.`);
      return { notice, outcome: 'admitted' as const };
    });
    if (!isRefusal(added) && added.outcome === 'admitted') this.announce([added.notice]);
    return added;
  }

  /** The owner has seen the end: neither the completion nor a match of this process is owed any more. */
  async consume(process: ProcessId, how: string): Promise<void> {
    this.announceSettled(await this.parts.store.transact((transaction) => this.consumeIn(transaction, process, how)));
  }

  /** The same inside the transaction that remembers what was shown. */
  consumeIn(
    transaction: Transaction,
    process: ProcessId,
    how: string,
    turn?: TurnId,
  ): Promise<readonly NoticeRecord[]> {
    return changeAll(transaction, { process, state: 'pending' }, ({ cause, standing }) =>
      OF_THE_PROCESS.has(cause.kind) ? consumed(standing, how, this.parts.clock.now(), turn) : 'not of the process',
    );
  }

  /** In the transaction that closes or resets the session. */
  async suppressAll(transaction: Transaction, session: SessionId, reason: Suppression, by: string): Promise<void> {
    await changeAll(transaction, { session, state: 'pending' }, ({ standing }) =>
      suppressed(standing, reason, this.parts.clock.now(), by),
    );
  }

  retry(id: NoticeId): Promise<Numbered<NoticeRecord> | Refusal> {
    return this.settle(id, (standing) => retried(standing, this.parts.clock.now()));
  }

  dismiss(id: NoticeId, by: string): Promise<Numbered<NoticeRecord> | Refusal> {
    return this.settle(id, (standing) => dismissed(standing, by, this.parts.clock.now()));
  }

  /** The notice as it is afterwards; refused when the step says why not. */
  async settle(
    id: NoticeId,
    step: (standing: Standing) => Standing | string,
  ): Promise<Numbered<NoticeRecord> | Refusal> {
    const outcome = await this.parts.store.transact(async ({ notices }) => {
      const notice = await notices.get(id);
      if (!notice) return refuse('not-found', `There is no notice ${id}.`);
      const standing = step(notice.standing);
      if (typeof standing === 'string')
        return refuse(
          'already-settled',
          `Notice ${id} was not changed: it is ${standing} (${stateOf(notice.standing)}).`,
        );
      await notices.update(id, standing);
      return (await notices.get(id)) ?? { ...notice, standing };
    });
    if ('session' in outcome) this.#changed(outcome);
    return outcome;
  }

  #changed(notice: NoticeRecord): void {
    this.parts.tell({ kind: 'noticeSettled', notice: notice.id, state: stateOf(notice.standing) });
    this.parts.news.notify(notice.session);
  }
}

const saysTheSame = ({ cause }: NoticeRecord, text: string): boolean => cause.kind === 'message' && cause.text === text;

const keyTaken = (session: SessionId, { key, id }: NoticeRecord): Refusal =>
  refuse(
    'key-taken',
    `Notice ${id} of session ${session} already uses key "${key}" with a different text. Nothing was added; use a new key for a new notice.`,
  );

async function changeAll(
  { notices }: Transaction,
  filter: NoticeFilter,
  step: (notice: NoticeRecord) => Standing | string,
): Promise<readonly NoticeRecord[]> {
  const changed: NoticeRecord[] = [];
  for (const notice of await notices.list({ ...filter, limit: Number.MAX_SAFE_INTEGER })) {
    const standing = step(notice);
    if (typeof standing === 'string') continue;
    await notices.update(notice.id, standing);
    changed.push({ ...notice, standing });
  }
  return changed;
}

const OF_THE_PROCESS = new Set<Cause['kind']>(['completion', 'watch_match', 'watch_disabled']);

const stateOf = (standing: Standing) => (standing.kind === 'pending' ? 'pending' : standing.state);
