/** Output over HTTP: pages, raw bytes, and live. */
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { z } from 'zod';
import type { Clock } from '../ports/clock.js';
import { OutputPage, OutputQuery, RAW_PAGE_BYTES, SearchAnswer, SearchQuery } from '../contract/output.js';
import { isRefusal } from '../contract/refusal.js';
import { byLines, follow } from '../runtime/output/follow.js';
import { searchOutput } from '../runtime/output/output-search.js';
import type { Stretch } from '../runtime/output/output.js';
import type { ProcessRecord } from '../ports/store.js';
import { findProcess } from './find.js';
import type { ProcessParts } from './processes.js';
import type { Routes } from './routes.js';
import { lastEvent, Stream } from './stream.js';

const RAW = 'application/octet-stream';

const StreamQuery = z.strictObject({ offset: OutputQuery.shape.offset, plain: OutputQuery.shape.plain });

export function outputRoutes(routes: Routes, parts: ProcessParts, clock: Clock): void {
  const { store, supervisor, reader, views } = parts;

  routes.get(
    '/api/processes/:id/output',
    { summary: `Reads output by bytes or by lines; raw with Accept: ${RAW}`, query: OutputQuery, answer: OutputPage },
    async ({ id, query, context }) => {
      const record = await findProcess(store, supervisor, id);
      if (isRefusal(record)) return record;
      if (context.req.header('accept') !== RAW) return reader.page(record, query);
      const stretch = await reader.bytes(
        record,
        query.offset ?? 0,
        Math.min(query.limit ?? RAW_PAGE_BYTES, RAW_PAGE_BYTES),
      );
      return isRefusal(stretch) ? stretch : rawAnswer(stretch);
    },
  );

  routes.get(
    '/api/processes/:id/output/search',
    {
      summary: 'Finds words in the output, in either case; `next` says where to go on',
      query: SearchQuery,
      answer: SearchAnswer,
    },
    async ({ id, query }) => {
      const record = await findProcess(store, supervisor, id);
      return isRefusal(record) ? record : searchOutput(reader, record, query);
    },
  );

  routes.get(
    '/api/processes/:id/output/stream',
    {
      summary: `Follows the output as Server-Sent Events; as raw bytes with Accept: ${RAW}`,
      query: StreamQuery,
      answer: OutputPage,
    },
    async ({ id, query, context }) => {
      const record = await findProcess(store, supervisor, id);
      if (isRefusal(record)) return record;
      const stream = new Stream(context.env.outgoing, clock, context.var.visitor.stay);
      const from = lastEvent(context.req.header('last-event-id')) ?? query.offset ?? 0;
      const followed = { current: () => supervisor.get(record.id), growth: () => supervisor.growth(record.id) };
      const stretches = follow(clock, reader, followed, from, stream.gone);
      if (context.req.header('accept') === RAW) await sendRaw(stream, stretches);
      else await sendEvents(stream, record, stretches, query.plain ?? false);
      stream.end();
      return RESPONSE_ALREADY_SENT;
    },
  );

  async function sendEvents(
    stream: Stream,
    record: ProcessRecord,
    stretches: ReturnType<typeof follow>,
    plain: boolean,
  ): Promise<void> {
    stream.begin('text/event-stream');
    const size = () => supervisor.growth(record.id)?.size ?? null;
    using _ = stream.heartbeat(() => stream.event('heartbeat', { size: size() }));
    for await (const stretch of byLines(clock, stretches)) {
      if (isRefusal(stretch)) return stream.event('refused', stretch);
      const page = await reader.shown((await supervisor.get(record.id)) ?? record, stretch, plain);
      await stream.event('output', page, page.to);
    }
    const last = await supervisor.get(record.id);
    if (last?.lifecycle.kind === 'ended') await stream.event('end', { process: await views.of(last) });
  }
}

async function sendRaw(stream: Stream, stretches: ReturnType<typeof follow>): Promise<void> {
  stream.begin(RAW);
  for await (const stretch of stretches) {
    // Bytes alone cannot say that some are gone: the stream ends here, and whoever asks for a page is told.
    if (isRefusal(stretch) || stretch.released > 0) return;
    await stream.send(stretch.bytes);
  }
}

const rawAnswer = ({ bytes, from, to, size, released }: Stretch): Response =>
  new Response(Buffer.from(bytes), {
    headers: {
      'content-type': RAW,
      'rouse-from': String(from),
      'rouse-to': String(to),
      'rouse-size': String(size),
      'rouse-released': String(released),
    },
  });
