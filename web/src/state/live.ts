/** Hears what the line says and hands it to whoever keeps a part of the picture. */
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

/** Another keeper may have an open line already: what was missed is read when it says so. */
function beginAnew(): void {
  line.value = { kind: 'connecting' };
  tell({ kind: 'anew' });
}

/** Whoever looks at the page waits no longer than he must. */
export function hurry(): void {
  if (line.value.kind !== 'open') connectNow();
}

/** Also while a line is open: the next one must use the key of today. */
export function connectNow(): void {
  joined?.ask({ kind: 'hurry', key: browserKey() });
}

export function listen(hear: (event: LineEvent) => void): () => void {
  listeners.add(hear);
  return () => listeners.delete(hear);
}

/** Reads each time the line opens: what has no number is only advice, and the lists are the truth. */
export function readWhenOpen(read: () => void): void {
  let open = false;
  effect(() => {
    const is = line.value.kind === 'open';
    if (is && !open) untracked(read);
    open = is;
  });
}

/** The words of the step that runs in the session. Every event that comes behind the answer is newer than they are. */
export function follow(session: SessionId): Promise<Followed> {
  return new Promise((resolve) => {
    followers.set(session, resolve);
    joined?.ask({ kind: 'follow', session });
  });
}
