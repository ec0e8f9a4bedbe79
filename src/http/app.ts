/** The interface as a whole: the guard at the door, then one file a resource. */
import { Hono } from 'hono';
import type { Registry } from 'prom-client';
import { z } from 'zod';
import { HealthAnswer } from '../contract/host.js';
import type { Address } from './address.js';
import type { Connections } from './connections.js';
import { guard, HEALTH, isKnown, type Bindings } from './guard.js';
import { insideProcess } from './inside.js';
import type { Deed } from '../domain/people/deed.js';
import { eventRoutes, type EventParts } from './events.js';
import { downloadRoutes } from './download.js';
import { fileRoutes, type FileParts } from './files.js';
import { noticeRoutes } from './notices.js';
import { outputRoutes } from './output.js';
import type { Page } from './page.js';
import { pushRoutes, type PushParts } from './push.js';
import { faulted, problem } from './problem.js';
import { processRoutes, type ProcessParts } from './processes.js';
import { Routes } from './routes.js';
import { conversationRoutes, type ConversationParts } from './conversation.js';
import { modelRoutes, type ModelParts } from './models.js';
import { sessionRoutes, type SessionParts } from './sessions.js';
import { signInRoutes, type SignInParts } from './sign-in.js';
import type { TurnedAway } from './turned-away.js';

export type AppParts = ProcessParts &
  SessionParts &
  ConversationParts &
  ModelParts &
  SignInParts &
  FileParts &
  PushParts &
  EventParts & {
    readonly token: string;
    /** What processes may do to this host by themselves. */
    readonly processesMay: readonly Deed[];
    readonly address: Address;
    readonly page: Page;
    readonly connections: Connections;
    readonly turnedAway: TurnedAway;
    readonly stopping: AbortSignal;
    readonly figures: Registry;
    readonly version: string;
    readonly startedAt: number;
  };

export function createApp(parts: AppParts): Hono<Bindings> {
  const app = new Hono<Bindings>();
  app.use(guard({ ...parts, isPage: (path) => parts.page.has(path) }));
  app.use(insideProcess(parts.processesMay));
  app.notFound(() =>
    problem(404, 'not-found', 'There is nothing at this address. /api/openapi.json lists what there is.'),
  );
  app.onError((error, context) => {
    const { incoming } = context.env;
    // Its sender is gone, which is no fault of the host.
    if (incoming.destroyed && !incoming.complete) {
      parts.turnedAway.count('cutOff');
      return problem(400, 'cut-off', 'The request did not arrive whole.');
    }
    parts.fault(`${context.req.method} ${context.req.path}`, error);
    return faulted(error);
  });

  const routes = new Routes(app, parts.clock);
  processRoutes(routes, parts);
  outputRoutes(routes, parts, parts.clock);
  downloadRoutes(routes, parts, parts.clock);
  sessionRoutes(routes, parts);
  conversationRoutes(routes, parts);
  fileRoutes(routes, parts);
  noticeRoutes(routes, parts);
  modelRoutes(routes, parts);
  eventRoutes(routes, parts);
  signInRoutes(routes, parts, parts.address);
  pushRoutes(routes, parts);
  routes.get(
    HEALTH,
    {
      summary: 'Says that the host is well; with the token also its version and since when it runs',
      query: z.strictObject({}),
      answer: HealthAnswer,
      open: true,
    },
    async ({ context }) => ({
      status: parts.conversation.draining ? ('stopping' as const) : ('ok' as const),
      ...(isKnown(context) && { version: parts.version, startedAt: new Date(parts.startedAt).toISOString() }),
    }),
  );
  app.get('/metrics', async (context) =>
    context.text(await parts.figures.metrics(), 200, { 'content-type': parts.figures.contentType }),
  );
  app.get('/api/openapi.json', (context) => context.json(routes.openapi(parts.version) as object));
  app.get('*', async (context, next) => (await parts.page.answer(context)) ?? next());
  return app;
}
