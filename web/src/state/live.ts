/** Receives the event stream and passes it to the parts of the page. */
import { effect, signal, untracked } from '@preact/signals';
import type { SessionId } from 'rouse/contract/ids';
import type { Followed } from '../live/exchange';
import { join, type Joined } from '../live/joined';
import { browserKey } from '../live/key';
import type { LineEvent, LineState } from '../live/line';

export const line = signal<LineState>({ kind: 'connecting' });

const listeners = new Set<(event: LineEvent) => void>();
const followers = new Map<SessionId, (followed: Followed) => void>();

let joined: Joined | undefined;

export function connect(): void {
  joined = join((news) => {
    switch (news.kind) {
      case 'state':
        line.value = news.state;
        return;
      case 'event':
        tell(news.event);
        return;
      case 'followed':
        followers.get(news.session)?.(news);
        followers.delete(news.session);
        return;
      case 'alive':
        return;
    }
  }, beginAnew);
  addEventListener('online', hurry);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && hurry());
}

function tell(event: LineEvent): void {
  for (const hear of listeners) hear(event);
}

/** Another worker took over and may already be connected; missed events are read when it reports its state. */
function beginAnew(): void {
  line.value = { kind: 'connecting' };
  tell({ kind: 'restarted' });
}

/** Reconnects at once, for a person who looks at the page. */
export function hurry(): void {
  if (line.value.kind !== 'open') connectNow();
}

/** Also while the stream is open: the next connection must use the current key. */
export function connectNow(): void {
  joined?.ask({ kind: 'hurry', key: browserKey() });
}

export function listen(hear: (event: LineEvent) => void): () => void {
  listeners.add(hear);
  return () => listeners.delete(hear);
}

/** Calls `read` each time the stream opens: events without a number are only hints, and the lists are the truth. */
export function readWhenOpen(read: () => void): void {
  let open = false;
  effect(() => {
    const is = line.value.kind === 'open';
    if (is && !open) untracked(read);
    open = is;
  });
}

/** The text so far of the session's running step. Every event after the answer is newer. */
export function follow(session: SessionId): Promise<Followed> {
  return new Promise((resolve) => {
    followers.set(session, resolve);
    joined?.ask({ kind: 'follow', session });
  });
}
