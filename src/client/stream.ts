/** The Server-Sent Events of a host as typed values. */
import { createParser } from 'eventsource-parser';
import type { z } from 'zod';
import { hostEvents, outputEvents, type LiveEvent } from '../contract/event.js';
import type { OutputPage } from '../contract/output.js';
import type { ProcessView } from '../contract/process.js';
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

type Sent<Kind extends keyof typeof hostEvents> = { readonly kind: Kind } & z.output<(typeof hostEvents)[Kind]>;

/** What `events` yields; the contract describes each kind. Entries and notices come with their number. */
export type HostEvent =
  | ({ readonly seq: number } & (Sent<'entry'> | Sent<'notice'>))
  | { readonly kind: 'live'; readonly event: LiveEvent }
  | Sent<'heartbeat'>
  | Sent<'process'>
  | Sent<'session'>
  | Sent<'forgotten'>
  | Sent<'reset'>
  | Cut;

/** Undefined for a kind that only a newer host knows. */
export function hostEvent({ event, id, data }: StreamEvent): HostEvent | undefined {
  switch (event) {
    case 'entry':
      return { kind: event, seq: Number(id), ...hostEvents.entry.parse(data) };
    case 'notice':
      return { kind: event, seq: Number(id), ...hostEvents.notice.parse(data) };
    case 'live':
      return { kind: event, event: hostEvents.live.parse(data) };
    case 'heartbeat':
      return { kind: event, ...hostEvents.heartbeat.parse(data) };
    case 'process':
      return { kind: event, ...hostEvents.process.parse(data) };
    case 'session':
      return { kind: event, ...hostEvents.session.parse(data) };
    case 'forgotten':
      return { kind: event, ...hostEvents.forgotten.parse(data) };
    case 'reset':
      return { kind: event, ...hostEvents.reset.parse(data) };
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
      return { kind: event, page: outputEvents.output.parse(data) };
    case 'end':
      return { kind: event, process: outputEvents.end.parse(data).process };
    case 'refused':
      return { kind: event, why: outputEvents.refused.parse(data).why };
    default:
      return undefined;
  }
}
