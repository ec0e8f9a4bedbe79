/** A notice as people and programs see it. */
import type { NoticeView } from '../contract/notice.js';
import { personLine } from '../domain/notice-line.js';
import type { Standing } from '../domain/settle.js';
import type { NoticeRecord, Numbered } from '../store.js';

const iso = (instant: number) => new Date(instant).toISOString();

export const noticeView = ({ id, session, process, cause, at, standing, seq }: Numbered<NoticeRecord>): NoticeView => ({
  id,
  kind: cause.kind,
  session,
  ...(process && { process }),
  ...whatBecame(standing),
  at: iso(at),
  attempts: standing.attempts,
  seq,
  line: personLine(cause),
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
