import { z } from 'zod';
import { SessionId, TurnId, TypedId } from './ids.js';

/**
 * What is seen of a turn before it is an entry. Live only: it has no number, nobody is told of it twice, and what it
 * adds up to comes as an entry.
 */
export const LiveEvent = z.intersection(
  z.object({ session: SessionId, turn: TurnId }),
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('delta'), of: z.enum(['text', 'reasoning']), text: z.string() }),
    /** All that there is of the running step so far, in place of what was told before: for whoever comes late. */
    z.object({ kind: z.literal('words'), text: z.string(), reasoning: z.string() }),
    /** The words of this step are over: it is begun anew, or becomes entries, which come behind this. */
    z.object({ kind: z.literal('cleared') }),
    /** The model is asked again after a while. */
    z.object({ kind: z.literal('retrying'), why: z.string(), inMs: z.number() }),
    /** The turn still works; said by the running turn alone. */
    z.object({ kind: z.literal('working'), forMs: z.number() }),
  ]),
);
export type LiveEvent = z.infer<typeof LiveEvent>;

export const EventsQuery = z.strictObject({
  session: TypedId.optional(),
  after: z.coerce.number().int().min(0).optional(),
});
