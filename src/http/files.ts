/** Files for a session. */
import { FileAnswer } from '../contract/message.js';
import { isRefusal, refuse } from '../contract/refusal.js';
import type { DroppedFiles } from '../runtime/people/dropped-files.js';
import type { Store } from '../ports/store.js';
import { findSession } from './find.js';
import { problem } from './problem.js';
import type { Routes } from './routes.js';

export type FileParts = { readonly store: Store; readonly files: DroppedFiles };

export function fileRoutes(routes: Routes, { store, files }: FileParts): void {
  routes.put(
    '/api/sessions/:id/files/:name',
    {
      summary: 'Gives a file to a session, at most 32 MiB; a taken name gets a number',
      answer: FileAnswer,
      status: 201,
    },
    async ({ id, context: { req, env } }) => {
      const session = await findSession(store, id);
      if (isRefusal(session)) return session;
      if (session.closedAt !== undefined)
        return refuse('session-closed', `Session ${session.id} is closed: it takes no files any more.`);
      try {
        const bytes = env.incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
        const file = await files.keep(session.id, req.param('name') ?? '', bytes);
        return isRefusal(file) ? file : { file };
      } catch (error) {
        if (!env.incoming.errored) throw error;
        return problem(400, 'cut-off', 'The file did not arrive whole. Nothing was kept of it.');
      }
    },
  );
}
