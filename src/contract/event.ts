/** What a host reports as it happens. */
import { z } from 'zod';
import { ProcessId, SessionId, TurnId, TypedId } from './ids.js';
import { SentEntry } from './journal.js';
import { NoticeView } from './notice.js';
import { OutputPage } from './output.js';
import { ProcessAnswer, ProcessView } from './process.js';
import { SessionView } from './session.js';

/** A running turn before it becomes entries. Live only: it has no number and is not repeated. */
export const LiveEvent = z.intersection(
  z.object({ session: SessionId, turn: TurnId }),
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('delta'), of: z.enum(['text', 'reasoning']), text: z.string() }),
    /** All words of the running step so far; replaces what was sent before. For a reader who connects late. */
    z.object({ kind: z.literal('words'), text: z.string(), reasoning: z.string() }),
    /** The words of this step are complete: it starts over, or becomes the entries that follow. */
    z.object({ kind: z.literal('cleared') }),
    /** The model is asked again after a pause. */
    z.object({ kind: z.literal('retrying'), why: z.string(), inMs: z.number() }),
    /** The turn is still working. */
    z.object({ kind: z.literal('working'), forMs: z.number() }),
  ]),
);
export type LiveEvent = z.infer<typeof LiveEvent>;

export const EventsQuery = z.strictObject({
  session: TypedId.optional(),
  after: z.coerce.number().int().min(0).optional(),
});

/** The events that a host streams. Entries and notices carry their number as the event id. */
export const hostEvents = {
  entry: z.object({ entry: SentEntry }),
  /** Admitted or settled. */
  notice: z.object({ notice: NoticeView }),
  live: LiveEvent,
  /** How one of them is now. Read the lists after the first heartbeat, and nothing is missed. */
  process: z.object({ process: ProcessView }),
  session: z.object({ session: SessionView }),
  forgotten: z.object({ process: ProcessId }),
  /** The reader was sent everything up to `seq`; `head` is the last number there is. */
  heartbeat: z.object({ seq: z.int(), head: z.int() }),
  /** The number asked for belongs to another store: start over. */
  reset: z.object({ head: z.int() }),
};

/** The events of one output. An `output` carries the offset behind it as the event id. */
export const outputEvents = {
  output: OutputPage,
  end: ProcessAnswer,
  refused: z.object({ refused: z.string(), why: z.string() }),
  heartbeat: z.object({ size: z.int().nullable() }),
};
