/** What changes, live: notices as they are admitted and settled, each with its number. */
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Clock } from '../clock.js';
import { EventsQuery } from '../contract/api.js';
import type { SessionId } from '../contract/ids.js';
import { NoticesAnswer } from '../contract/notice.js';
import { isRefusal } from '../contract/refusal.js';
import type { News } from '../runtime/news.js';
import { NoticeViews } from '../runtime/notice-view.js';
import { Wakes } from '../runtime/wakes.js';
import type { Store } from '../store.js';
import { findSession } from './find.js';
import { lastEvent, Stream } from './stream.js';
import type { Routes } from './routes.js';

export type EventParts = {
  readonly store: Store;
  readonly news: News;
  readonly clock: Clock;
  readonly stopping: AbortSignal;
  readonly fault: (during: string, error: unknown) => void;
};

const AT_ONCE = 100;
/** The net under the news. */
const LOOK_AGAIN_MS = 10_000;

export function eventRoutes(routes: Routes, { store, news, clock, stopping, fault }: EventParts): void {
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
      const stream = new Stream(context.env.outgoing, clock, stopping);
      stream.begin('text/event-stream');
      // A number that this store never gave is of another store: told, and begun anew from here.
      if (asked > head) await stream.event('reset', { head });
      await follow(stream, Math.min(asked, head), session?.id);
      stream.end();
      return RESPONSE_ALREADY_SENT;
    },
  );

  /** Over when the reader is gone. */
  async function follow(stream: Stream, after: number, session: SessionId | undefined): Promise<void> {
    let sent = after;
    const here = () => stream.event('heartbeat', { seq: sent }, sent);
    // Said at once: a reader who is cut off before the first notice must know from where to go on.
    await here();
    const reads = new Wakes<'all'>(
      async () => {
        for (;;) {
          const changed = stream.gone.aborted ? [] : await store.notices.changedAfter(sent, AT_ONCE, session);
          for (const notice of await views.all(changed)) {
            sent = notice.seq;
            await stream.event('notice', { notice }, sent);
          }
          if (changed.length < AT_ONCE) return;
        }
      },
      (error) => fault('sending events', error),
    );
    using _news = news.listen((of) => void ((session === undefined || of === session) && reads.wake('all')));
    using _beat = stream.heartbeat(here);
    using _net = every(clock, LOOK_AGAIN_MS, () => void reads.wake('all'));
    await reads.wake('all');
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
