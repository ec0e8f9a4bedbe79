/** What changes, live: entries and notices with their numbers, and between them what has none. */
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { isRefusal } from '../contract/refusal.js';
import type { routes } from '../contract/routes.js';
import { entryView } from '../runtime/session/entry-view.js';
import { changesAfter, type Change } from '../runtime/people/feed.js';
import type { LiveEvents } from '../runtime/session/live-events.js';
import { NoticeViews } from '../runtime/notice/notice-view.js';
import { Overview, type OverviewParts } from '../runtime/people/overview.js';
import type { Presence } from '../runtime/people/pusher.js';
import type { Store } from '../ports/store.js';
import { Broadcast, serialised, type Source } from './broadcast.js';
import { findSession, ifGiven } from './find.js';
import { EventFollower } from './event-follower.js';
import type { Handlers } from './router.js';
import { lastEvent, Stream } from './stream.js';

export type EventParts = OverviewParts & {
  readonly live: LiveEvents;
  readonly presence: Presence;
  readonly stopping: AbortSignal;
};

export function followEvents(parts: EventParts): Handlers<typeof routes.host>['events'] {
  const { store, clock, presence, stopping } = parts;
  const source = sourceOf(store);
  const broadcast = new Broadcast({ ...parts, source });
  const overview = new Overview(parts, broadcast);
  stopping.addEventListener('abort', () => [overview, broadcast].forEach((one) => one[Symbol.dispose]()));

  return async ({ query, context }) => {
    const session = await ifGiven(query.session, (typed) => findSession(store, typed));
    if (isRefusal(session)) return session;
    const head = await store.head();
    const asked = lastEvent(context.req.header('last-event-id')) ?? query.after ?? head;
    const { visitor } = context.var;
    using _here = visitor.kind === 'browser' ? presence.opened(visitor.id) : undefined;
    const stream = new Stream(context.env.outgoing, clock, visitor.stay);
    stream.begin('text/event-stream');
    // A number that this store never gave belongs to another store.
    if (asked > head) await stream.event('reset', { head });
    const reader = new EventFollower(stream, session?.id, Math.min(asked, head), { ...parts, source, broadcast });
    using _ = stream.heartbeat(() => reader.beat());
    await reader.follow();
    stream.end();
    return RESPONSE_ALREADY_SENT;
  };
}

function sourceOf(store: Store): Source {
  const views = new NoticeViews(store);
  const bodyOf = async (change: Change): Promise<object> =>
    change.kind === 'entry' ? { entry: entryView(change.entry) } : { notice: await views.of(change.notice) };
  const frameOf = async (change: Change) => ({
    session: change.kind === 'entry' ? change.entry.session : change.notice.session,
    seq: change.seq,
    bytes: serialised(change.kind, await bodyOf(change), change.seq),
  });
  return {
    head: () => store.head(),
    read: async (after, limit, session) => {
      const { changes, upTo } = await changesAfter(store, after, limit, session);
      return { frames: await Promise.all(changes.map(frameOf)), upTo };
    },
  };
}
