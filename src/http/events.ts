/** What changes, live: entries and notices, each with its number, and between them the words of running turns. */
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Clock } from '../clock.js';
import { EventsQuery } from '../contract/api.js';
import type { LiveEvent } from '../contract/feed.js';
import type { SessionId } from '../contract/ids.js';
import { NoticesAnswer } from '../contract/notice.js';
import { isRefusal } from '../contract/refusal.js';
import type { News } from '../runtime/news.js';
import { entryView } from '../runtime/entry-view.js';
import { changesAfter, type Change } from '../runtime/feed.js';
import type { Live } from '../runtime/live.js';
import { NoticeViews } from '../runtime/notice-view.js';
import type { Presence } from '../runtime/presence.js';
import { Wakes } from '../runtime/wakes.js';
import type { Store } from '../store.js';
import { findSession } from './find.js';
import { lastEvent, Stream } from './stream.js';
import type { Routes } from './routes.js';

export type EventParts = {
  readonly store: Store;
  readonly news: News;
  readonly live: Live;
  readonly clock: Clock;
  readonly presence: Presence;
  readonly fault: (during: string, error: unknown) => void;
};

const AT_ONCE = 100;
/** The net under the news. */
const LOOK_AGAIN_MS = 10_000;

export function eventRoutes(routes: Routes, { store, news, live, clock, presence, fault }: EventParts): void {
  const views = new NoticeViews(store.sessions);

  routes.get(
    '/api/events',
    {
      summary:
        'Follows notices as Server-Sent Events; their number is the event id, and `after` or Last-Event-ID resumes',
      query: EventsQuery,
      answer: NoticesAnswer,
    },
    async ({ query, context }) => {
      const session = query.session === undefined ? undefined : await findSession(store, query.session);
      if (isRefusal(session)) return session;
      const head = await store.head();
      const asked = lastEvent(context.req.header('last-event-id')) ?? query.after ?? head;
      const { visitor } = context.var;
      using _here = visitor.kind === 'browser' ? presence.opened(visitor.id) : undefined;
      const stream = new Stream(context.env.outgoing, clock, visitor.stay);
      stream.begin('text/event-stream');
      // A number that this store never gave is of another store: told, and begun anew from here.
      if (asked > head) await stream.event('reset', { head });
      await follow(stream, Math.min(asked, head), session?.id);
      stream.end();
      return RESPONSE_ALREADY_SENT;
    },
  );

  const bodyOf = async (change: Change): Promise<object> =>
    change.kind === 'entry' ? { entry: entryView(change.entry) } : { notice: await views.of(change.notice) };

  /** Over when the reader is gone. */
  async function follow(stream: Stream, after: number, session: SessionId | undefined): Promise<void> {
    let sent = after;
    const here = () => stream.event('heartbeat', { seq: sent }, sent);
    // Said at once: a reader who is cut off before the first notice must know from where to go on.
    await here();
    const reads = new Wakes<'all'>(
      async () => {
        for (;;) {
          const changes = stream.gone.aborted ? [] : await changesAfter(store, sent, AT_ONCE, session);
          for (const change of changes) {
            sent = change.seq;
            await stream.event(change.kind, await bodyOf(change), sent);
          }
          // What has come meanwhile is announced, and asks for another look.
          if (changes.length < AT_ONCE) return;
        }
      },
      (error) => fault('sending events', error),
    );
    using _news = news.listen((of) => void ((session === undefined || of === session) && reads.wake('all')));
    // Live words are for whoever keeps up; one who is behind gets them as entries.
    const say = (event: LiveEvent): void => {
      if ((session === undefined || event.session === session) && !stream.isBehind) void stream.event('live', event);
    };
    using _beat = stream.heartbeat(here);
    using _net = every(clock, LOOK_AGAIN_MS, () => void reads.wake('all'));
    await reads.wake('all');
    for (const event of live.soFar()) say(event);
    using _live = live.listen(say);
    await new Promise<void>((gone) => {
      if (stream.gone.aborted) gone();
      else stream.gone.addEventListener('abort', () => gone(), { once: true });
    });
    await reads.quiet();
  }
}

function every(clock: Clock, ms: number, ring: () => void): Disposable {
  const again = (): void => {
    ring();
    alarm = clock.alarm(ms, again);
  };
  let alarm = clock.alarm(ms, again);
  return { [Symbol.dispose]: () => alarm.clear() };
}
