/** The whole output of a process as a file, in which a line stands for what is released. */
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { z } from 'zod';
import type { Clock } from '../ports/clock.js';
import { isRefusal } from '../contract/refusal.js';
import { wholeOutput } from '../runtime/output/whole-output.js';
import type { ProcessRecord } from '../ports/store.js';
import { findProcess } from './find.js';
import type { ProcessParts } from './processes.js';
import type { Routes } from './routes.js';
import { Stream } from './stream.js';

export function downloadRoutes(routes: Routes, { store, supervisor, reader }: ProcessParts, clock: Clock): void {
  routes.get(
    '/api/processes/:id/output/file',
    { summary: 'Downloads all of the output as text', query: z.strictObject({}), answer: z.string() },
    async ({ id, context }) => {
      const record = await findProcess(store, supervisor, id);
      if (isRefusal(record)) return record;
      const size = await reader.size(record);
      if (isRefusal(size)) return size;
      const stream = new Stream(context.env.outgoing, clock, context.var.visitor.stay);
      stream.begin('text/plain; charset=utf-8', { 'content-disposition': `attachment; filename="${record.id}.txt"` });
      await send(stream, record);
      return RESPONSE_ALREADY_SENT;
    },
  );

  async function send(stream: Stream, { id }: ProcessRecord): Promise<void> {
    let atLineStart = true;
    for await (const page of wholeOutput(reader, () => supervisor.get(id))) {
      if (stream.gone.aborted) return;
      // A file that ends too early without a word would pass for the whole.
      if (isRefusal(page)) return void stream.response.destroy();
      if (page.released > 0) await stream.send(`${atLineStart ? '' : '\n'}[… ${page.released} bytes released …]\n`);
      await stream.send(page.text);
      atLineStart = page.text.endsWith('\n');
    }
    stream.end();
  }
}
