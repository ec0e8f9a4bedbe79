/** Hears what the line says and hands it to whoever keeps a part of the picture. */
import { effect, signal } from '@preact/signals';
import type { LiveEvent } from 'rouse/contract/feed';
import type { SessionId } from 'rouse/contract/ids';
import { join, type Joined } from '../live/joined';
import type { LineEvent, LineState } from '../live/line';

export const line = signal<LineState>({ kind: 'connecting' });

const listeners = new Set<(event: LineEvent) => void>();
const readers = new Set<() => void>();
const followers = new Map<SessionId, (words: readonly LiveEvent[]) => void>();

let joined: Joined | undefined;

export function connect(): void {
  joined = join((news) => {
    switch (news.kind) {
      case 'state':
        line.value = news.state;
        return;
      case 'event':
        for (const hear of listeners) hear(news.event);
        if (news.event.kind === 'anew' || news.event.kind === 'reset') readAgain();
        return;
      case 'followed':
        followers.get(news.session)?.(news.words);
        followers.delete(news.session);
        return;
      case 'alive':
        return;
    }
  }, readAgain);
  addEventListener('online', hurry);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && hurry());
}

/** Whoever looks at the page waits no longer than he must. */
export function hurry(): void {
  if (line.value.kind !== 'open') joined?.ask({ kind: 'hurry' });
}

export function listen(hear: (event: LineEvent) => void): () => void {
  listeners.add(hear);
  return () => listeners.delete(hear);
}

/**
 * Reads when the line is open, and again each time something may have been missed: what has no number is only advice,
 * and the lists are the truth.
 */
export function readWhenOpen(read: () => void): void {
  readers.add(read);
  let open = false;
  effect(() => {
    const is = line.value.kind === 'open';
    if (is && !open) read();
    open = is;
  });
}

function readAgain(): void {
  for (const read of readers) read();
}

/** The words of the step that runs in the session. Every event that comes behind the answer is newer than they are. */
export function follow(session: SessionId): Promise<readonly LiveEvent[]> {
  return new Promise((resolve) => {
    followers.set(session, resolve);
    joined?.ask({ kind: 'follow', session });
  });
}
