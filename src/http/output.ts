/** Output over HTTP: pages, raw bytes, live, and as a file. */
import type { Context } from 'hono';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { RAW_PAGE_BYTES } from '../contract/output.js';
import { isRefusal, type Refusal } from '../contract/refusal.js';
import { routes } from '../contract/routes.js';
import type { ProcessRecord } from '../ports/store.js';
import { releasedBytes } from '../domain/output/quota.js';
import { byLines, follow, wholeOutput } from '../runtime/output/follow.js';
import { searchOutput } from '../runtime/output/output-search.js';
import type { Stretch } from '../runtime/output/output.js';
import { findProcess } from './find.js';
import type { Bindings } from './guard.js';
import type { ProcessParts } from './process.js';
import type { Handlers } from './router.js';
import { lastEvent, Stream } from './stream.js';

const RAW = routes.output.page.produces;

const wantsRaw = ({ req }: Context<Bindings>): boolean => req.header('accept') === RAW;

export function outputHandlers(parts: ProcessParts): Handlers<typeof routes.output> {
  const { store, supervisor, reader, views, clock } = parts;

  const on = async <Answer>(
    { params: { id } }: { readonly params: { readonly id: string } },
    work: (record: ProcessRecord) => Promise<Answer | Refusal>,
  ) => {
    const record = await findProcess(store, supervisor, id);
    return isRefusal(record) ? record : work(record);
  };

  async function sendEvents(
    stream: Stream,
    record: ProcessRecord,
    stretches: ReturnType<typeof follow>,
    plain: boolean,
  ): Promise<void> {
    stream.begin('text/event-stream');
    const size = () => supervisor.growth(record.id)?.size ?? null;
    const beat = () => stream.event('heartbeat', { size: size() });
    // At once, so that a reader of a quiet process knows that the host is there.
    await beat();
    using _ = stream.heartbeat(beat);
    for await (const stretch of byLines(clock, stretches)) {
      if (isRefusal(stretch)) return stream.event('refused', stretch);
      const page = await reader.shown((await supervisor.get(record.id)) ?? record, stretch, plain);
      await stream.event('output', page, page.to);
    }
    const last = await supervisor.get(record.id);
    if (last?.lifecycle.kind === 'ended') await stream.event('end', { process: await views.of(last) });
  }

  async function sendFile(stream: Stream, { id }: ProcessRecord): Promise<void> {
    let atLineStart = true;
    for await (const page of wholeOutput(reader, () => supervisor.get(id))) {
      if (stream.gone.aborted) return;
      // A file that simply ended here would pass for the whole output.
      if (isRefusal(page)) return stream.drop();
      if (page.released > 0)
        await stream.send(
          `${atLineStart ? '' : '\n'}[… ${page.released} bytes deleted: the output exceeded its quota …]\n`,
        );
      await stream.send(page.text);
      atLineStart = page.text.endsWith('\n');
    }
    stream.end();
  }

  return {
    page: (request) =>
      on(request, async (record) => {
        const { offset = 0, limit = RAW_PAGE_BYTES } = request.query;
        if (!wantsRaw(request.context)) return reader.page(record, request.query);
        const stretch = await reader.bytes(record, offset, Math.min(limit, RAW_PAGE_BYTES));
        return isRefusal(stretch) ? stretch : rawAnswer(stretch);
      }),

    search: (request) => on(request, (record) => searchOutput(reader, record, request.query)),

    follow: (request) =>
      on(request, async (record) => {
        const { query, context } = request;
        const stream = new Stream(context.env.outgoing, clock, context.var.visitor.stay);
        const from = lastEvent(context.req.header('last-event-id')) ?? query.offset ?? 0;
        const followed = { current: () => supervisor.get(record.id), growth: () => supervisor.growth(record.id) };
        const stretches = follow(clock, reader, followed, from, stream.gone);
        if (wantsRaw(context)) await sendRaw(stream, stretches);
        else await sendEvents(stream, record, stretches, query.plain ?? false);
        stream.end();
        return RESPONSE_ALREADY_SENT;
      }),

    /** A line stands for bytes that were released. */
    download: (request) =>
      on(request, async (record) => {
        const size = await reader.size(record);
        if (isRefusal(size)) return size;
        const {
          env,
          var: { visitor },
        } = request.context;
        const stream = new Stream(env.outgoing, clock, visitor.stay);
        stream.begin(routes.output.download.produces, {
          'content-disposition': `attachment; filename="${record.id}.txt"`,
        });
        await sendFile(stream, record);
        return RESPONSE_ALREADY_SENT;
      }),
  };
}

async function sendRaw(stream: Stream, stretches: ReturnType<typeof follow>): Promise<void> {
  stream.begin(RAW);
  for await (const stretch of stretches) {
    // Bytes alone cannot say that some are gone: the stream ends here, and the next page has the gap.
    if (isRefusal(stretch) || stretch.gap) return;
    await stream.send(stretch.bytes);
  }
}

const rawAnswer = ({ bytes, from, to, size, gap }: Stretch): Response =>
  new Response(Buffer.from(bytes), {
    headers: {
      'content-type': RAW,
      'rouse-from': String(from),
      'rouse-to': String(to),
      'rouse-size': String(size),
      'rouse-released': String(gap ? releasedBytes(gap) : 0),
    },
  });
