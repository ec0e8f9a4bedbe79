/** The interface as a whole: the guard at the door, then one file a resource. */
import { Hono } from 'hono';
import type { Registry } from 'prom-client';
import { z } from 'zod';
import { HealthAnswer } from '../contract/api.js';
import { guard, type Admission, type Bindings } from './guard.js';
import { eventRoutes, type EventParts } from './events.js';
import { noticeRoutes } from './notices.js';
import { outputRoutes } from './output.js';
import { faulted, problem } from './problem.js';
import { processRoutes, type ProcessParts } from './processes.js';
import { Routes } from './routes.js';
import { conversationRoutes, type ConversationParts } from './conversation.js';
import { modelRoutes, type ModelParts } from './models.js';
import { sessionRoutes, type SessionParts } from './sessions.js';

export type AppParts = ProcessParts &
  SessionParts &
  ConversationParts &
  ModelParts &
  EventParts & {
    readonly admission: Admission;
    readonly figures: Registry;
    readonly version: string;
    readonly startedAt: number;
    /** The port we listen on, which is known once we do. */
    readonly port: () => number;
  };

export function createApp(parts: AppParts): Hono<Bindings> {
  const app = new Hono<Bindings>();
  app.use(guard(parts.admission, parts.port));
  app.notFound(() =>
    problem(404, 'not-found', 'There is nothing at this address. /api/openapi.json lists what there is.'),
  );
  app.onError((error, context) => {
    parts.fault(`${context.req.method} ${context.req.path}`, error);
    return faulted(error);
  });

  const routes = new Routes(app);
  processRoutes(routes, parts);
  outputRoutes(routes, parts, parts.clock, parts.stopping);
  sessionRoutes(routes, parts);
  conversationRoutes(routes, parts);
  noticeRoutes(routes, parts);
  modelRoutes(routes, parts);
  eventRoutes(routes, parts);
  routes.get(
    '/healthz',
    { summary: 'Says that the host is well', query: z.strictObject({}), answer: HealthAnswer },
    async () => ({
      status: parts.stopping.aborted ? ('stopping' as const) : ('ok' as const),
      version: parts.version,
      startedAt: new Date(parts.startedAt).toISOString(),
    }),
  );
  app.get('/metrics', async (context) =>
    context.text(await parts.figures.metrics(), 200, { 'content-type': parts.figures.contentType }),
  );
  app.get('/api/openapi.json', (context) => context.json(routes.openapi(parts.version) as object));
  return app;
}
