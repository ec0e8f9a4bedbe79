/** The HTTP interface as a whole: the guard, the routes of the contract, and the page. */
import { Hono } from 'hono';
import { routes } from '../contract/routes.js';
import type { TurnedAway } from './connections.js';
import { followEvents, type EventParts } from './events.js';
import { guard, isRead, type Bindings, type GuardParts } from './guard.js';
import { hostHandlers, type HostParts } from './host.js';
import { noticeHandlers } from './notice.js';
import { outputHandlers } from './output.js';
import type { Page } from './page.js';
import { peopleHandlers, type PeopleParts } from './people.js';
import { faulted, problem } from './problem.js';
import { processHandlers, type ProcessParts } from './process.js';
import { Router } from './router.js';
import { sessionHandlers, type SessionParts } from './session.js';

export type AppParts = GuardParts &
  ProcessParts &
  SessionParts &
  PeopleParts &
  EventParts &
  HostParts & { readonly page: Page; readonly turnedAway: TurnedAway };

export function createApp(parts: AppParts): Hono<Bindings> {
  const app = new Hono<Bindings>();
  const admit = guard(parts);
  const router = new Router(app, admit, parts.clock);
  router.bind(routes.process, processHandlers(parts));
  router.bind(routes.output, outputHandlers(parts));
  router.bind(routes.session, sessionHandlers(parts));
  router.bind(routes.notice, noticeHandlers(parts));
  router.bind(routes.people, peopleHandlers(parts));
  router.bind(routes.host, { ...hostHandlers(parts), events: followEvents(parts) });
  app.all('*', async (context) => {
    const turnedAway = admit(context);
    const page = turnedAway ?? (isRead(context) ? await parts.page.answer(context) : undefined);
    return (
      page ?? problem(404, 'not-found', `There is no such endpoint. For the list, see ${routes.host.openapi.path}.`)
    );
  });
  app.onError((error, context) => {
    const { incoming } = context.env;
    // The sender is gone, which is no fault of the host.
    if (incoming.destroyed && !incoming.complete) {
      parts.turnedAway.count('cutOff');
      return problem(400, 'cut-off', 'The request did not arrive whole.');
    }
    parts.fault(`${context.req.method} ${context.req.path}`, error);
    return faulted(error);
  });
  return app;
}
