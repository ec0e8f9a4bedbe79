/** A notice as people and programs see it. */
import type { ProcessId, SessionId } from '../../contract/ids.js';
import type { NoticeView } from '../../contract/notice.js';
import { personLine } from '../../contract/cause-line.js';
import { asDelivered, mayGoStale } from '../../domain/notice/notice-block.js';
import { tells } from '../../domain/notice/policy.js';
import type { Standing } from '../../domain/notice/settle.js';
import type { NoticeRecord, Numbered, ProcessRecord, Readers, SessionRecord } from '../../ports/store.js';

const iso = (instant: number) => new Date(instant).toISOString();

export class NoticeViews {
  constructor(readonly store: Pick<Readers, 'sessions' | 'processes'>) {}

  async of(notice: Numbered<NoticeRecord>): Promise<NoticeView> {
    const [view] = await this.all([notice]);
    return view ?? noticeView(notice, undefined);
  }

  /** Each session and each process is asked for once, however many of the notices are its own. */
  async all(notices: readonly Numbered<NoticeRecord>[]): Promise<NoticeView[]> {
    const sessions = new Once((id: SessionId) => this.store.sessions.get(id));
    const processes = new Once((id: ProcessId) => this.store.processes.get(id));
    return Promise.all(
      notices.map(async (notice) => {
        const process = notice.process && mayGoStale(notice.cause) ? await processes.of(notice.process) : undefined;
        return noticeView(notice, await sessions.of(notice.session), process);
      }),
    );
  }
}

class Once<Key, Value> {
  readonly #asked = new Map<Key, Promise<Value>>();

  constructor(readonly ask: (key: Key) => Promise<Value>) {}

  of(key: Key): Promise<Value> {
    const asked = this.#asked.get(key) ?? this.ask(key);
    this.#asked.set(key, asked);
    return asked;
  }
}

/** Of a session that is gone, people are told nothing. What it is about is described as it is now. */
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
