/** A notice as people and programs see it. */
import type { SessionId } from '../contract/ids.js';
import type { NoticeView } from '../contract/notice.js';
import { personLine } from '../contract/cause-line.js';
import { tells } from '../domain/policy.js';
import type { Standing } from '../domain/settle.js';
import type { NoticeRecord, Numbered, SessionReader, SessionRecord } from '../store.js';

const iso = (instant: number) => new Date(instant).toISOString();

export class NoticeViews {
  constructor(readonly sessions: SessionReader) {}

  async of(notice: Numbered<NoticeRecord>): Promise<NoticeView> {
    return noticeView(notice, await this.sessions.get(notice.session));
  }

  /** Each session is asked for once, however many of the notices are its own. */
  async all(notices: readonly Numbered<NoticeRecord>[]): Promise<NoticeView[]> {
    const asked = new Map<SessionId, Promise<SessionRecord | undefined>>();
    for (const { session } of notices) if (!asked.has(session)) asked.set(session, this.sessions.get(session));
    return Promise.all(notices.map(async (notice) => noticeView(notice, await asked.get(notice.session))));
  }
}

/** Of a session that is gone, people are told nothing. */
export const noticeView = (
  { id, session, process, cause, at, standing, seq }: Numbered<NoticeRecord>,
  owner: SessionRecord | undefined,
): NoticeView => ({
  id,
  kind: cause.kind,
  session,
  ...(process && { process }),
  ...whatBecame(standing),
  at: iso(at),
  attempts: standing.attempts,
  seq,
  line: personLine(cause),
  people: owner !== undefined && tells(owner.people, cause),
  cause,
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
