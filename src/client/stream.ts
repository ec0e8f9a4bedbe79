/** The Server-Sent Events of a host as typed values. */
import { createParser } from 'eventsource-parser';
import { LiveEvent } from '../contract/event.js';
import { ProcessId } from '../contract/ids.js';
import { readEntry, type EntryView } from '../contract/journal.js';
import { NoticeView } from '../contract/notice.js';
import { OutputPage } from '../contract/output.js';
import { ProcessAnswer, ProcessView } from '../contract/process.js';
import { SessionView } from '../contract/session.js';
import type { Cut } from './resume.js';

export type StreamEvent = { readonly event: string; readonly id: string | undefined; readonly data: unknown };

/** The events in a body. Their data is JSON. */
export async function* streamEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  const parsed: StreamEvent[] = [];
  const parser = createParser({
    onEvent: ({ event = 'message', id, data }) => parsed.push({ event, id, data: JSON.parse(data) as unknown }),
  });
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* parsed.splice(0);
  }
}

/** What `events` yields: an entry, a notice admitted or settled, words of a running turn, how something is now, a heartbeat, or a cut. */
export type HostEvent =
  | { readonly kind: 'entry'; readonly seq: number; readonly entry: EntryView }
  | { readonly kind: 'notice'; readonly seq: number; readonly notice: NoticeView }
  | { readonly kind: 'live'; readonly event: LiveEvent }
  /** The reader was sent everything up to `seq`; `head` is what there is. */
  | { readonly kind: 'heartbeat'; readonly seq: number; readonly head: number }
  /** How one of them is now. Advice: read the lists once the first heartbeat has come, and nothing is missed. */
  | { readonly kind: 'process'; readonly process: ProcessView }
  | { readonly kind: 'session'; readonly session: SessionView }
  | { readonly kind: 'forgotten'; readonly process: ProcessId }
  /** The number asked for belongs to another store: read everything again. */
  | { readonly kind: 'reset'; readonly head: number }
  | Cut;

/** Undefined for a kind that only a newer host knows. */
export function hostEvent({ event, id, data }: StreamEvent): HostEvent | undefined {
  const body = data as Record<'entry' | 'notice' | 'process' | 'session', unknown> & { seq: number; head: number };
  switch (event) {
    case 'entry':
      return { kind: 'entry', seq: Number(id), entry: readEntry(body.entry) };
    case 'notice':
      return { kind: 'notice', seq: Number(id), notice: NoticeView.parse(body.notice) };
    case 'live':
      return { kind: 'live', event: LiveEvent.parse(data) };
    case 'heartbeat':
      return { kind: 'heartbeat', seq: body.seq, head: body.head };
    case 'process':
      return { kind: 'process', process: ProcessView.parse(body.process) };
    case 'session':
      return { kind: 'session', session: SessionView.parse(body.session) };
    case 'forgotten':
      return { kind: 'forgotten', process: ProcessId.parse(body.process) };
    case 'reset':
      return { kind: 'reset', head: body.head };
    default:
      return undefined;
  }
}

/** What `follow` yields of one output. */
export type OutputEvent =
  | { readonly kind: 'output'; readonly page: OutputPage }
  | { readonly kind: 'end'; readonly process: ProcessView }
  | { readonly kind: 'refused'; readonly why: string }
  | Cut;

/** Undefined for a heartbeat, and for a kind that only a newer host knows. */
export function outputEvent({ event, data }: StreamEvent): OutputEvent | undefined {
  switch (event) {
    case 'output':
      return { kind: 'output', page: OutputPage.parse(data) };
    case 'end':
      return { kind: 'end', process: ProcessAnswer.parse(data).process };
    case 'refused':
      return { kind: 'refused', why: (data as { why: string }).why };
    default:
      return undefined;
  }
}
