/** A notice as people and programs see it. */
import type { NoticeView } from '../../contract/notice.js';
import { personLine } from '../../contract/cause-line.js';
import { asDelivered, mayGoStale } from '../../domain/notice/notice-block.js';
import { tells } from '../../domain/notice/policy.js';
import type { Standing } from '../../domain/notice/settle.js';
import type { NoticeRecord, Numbered, ProcessRecord, Readers, SessionRecord } from '../../ports/store.js';
import { iso } from '../../ports/clock.js';

export class NoticeViews {
  constructor(readonly store: Pick<Readers, 'sessions' | 'processes'>) {}

  async of(notice: Numbered<NoticeRecord>): Promise<NoticeView> {
    const [view] = await this.all([notice]);
    return view ?? noticeView(notice, undefined);
  }

  /** Reads each session and each process once. */
  async all(notices: readonly Numbered<NoticeRecord>[]): Promise<NoticeView[]> {
    const { sessions, processes } = this.store;
    const stale = notices.flatMap(({ process, cause }) => (process && mayGoStale(cause) ? [process] : []));
    const owners = await byId(
      notices.map(({ session }) => session),
      (id) => sessions.get(id),
    );
    const about = await byId(stale, (id) => processes.get(id));
    return notices.map((notice) =>
      noticeView(notice, owners.get(notice.session), notice.process && about.get(notice.process)),
    );
  }
}

async function byId<Id, Value>(ids: readonly Id[], get: (id: Id) => Promise<Value>): Promise<ReadonlyMap<Id, Value>> {
  return new Map(await Promise.all([...new Set(ids)].map(async (id) => [id, await get(id)] as const)));
}

/** For people it is silent when its session is gone. It describes its process as it is now. */
export const noticeView = (
  { id, session, process, cause, at, standing, seq }: Numbered<NoticeRecord>,
  owner: SessionRecord | undefined,
  about?: ProcessRecord,
): NoticeView => ({
  id,
  kind: cause.kind,
  session,
  ...(process && { process }),
  ...whatBecame(standing),
  at: iso(at),
  attempts: standing.attempts,
  seq,
  line: personLine(asDelivered(cause, about)),
  people: owner !== undefined && tells(owner.people, cause),
  cause: asDelivered(cause, about),
});

function whatBecame(standing: Standing): Pick<NoticeView, 'state' | 'reason' | 'settledAt' | 'turn' | 'nextAttemptAt'> {
  switch (standing.kind) {
    case 'pending':
      return {
        state: 'pending',
        ...(standing.lastFailure && { reason: standing.lastFailure, nextAttemptAt: iso(standing.dueAt) }),
      };
    case 'settled': {
      const { state, reason, at, turn } = standing;
      return { state, reason, settledAt: iso(at), ...(turn && { turn }) };
    }
  }
}
