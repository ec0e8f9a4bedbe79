import { LiveEvent } from '../contract/event.js';
import { ProcessId } from '../contract/ids.js';
import { readEntry, type EntryView } from '../contract/journal.js';
import { NoticeView } from '../contract/notice.js';
import { ProcessView } from '../contract/process.js';
import { SessionView } from '../contract/session.js';
import type { StreamEvent } from './event-stream.js';

/** What `events` tells: an entry, a notice admitted or settled, words of a running turn, how something is now, or that the line is alive. */
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
  /** The number asked for is of another store: begin anew. */
  | { readonly kind: 'reset'; readonly head: number };

/** Nothing for a kind that a newer host may tell. */
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
