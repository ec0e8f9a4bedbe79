/**
 * The entries of a journal: what is written down, once, in order, and what every screen is a fold of.
 *
 *   1. A journal outlives the program that wrote it. A kind that this version does not know, or a known one in a
 *      shape it does not know, is kept as it is and shown as a plain note; reading never fails over it.
 *   2. Moments inside an entry are milliseconds since 1970; only the `at` of a view is ISO 8601.
 */
import { z } from 'zod';
import { BrowserId, MessageId, NoticeId, ProcessId, QuestionId, SessionId, TurnId } from './ids.js';
import { Cause } from './notice.js';

/** What happens to a message during a turn: it waits, reaches the agent at the next step, or ends the turn. */
export const Mode = z.enum(['queue', 'steer', 'interrupt']);
export type Mode = z.infer<typeof Mode>;

export const TurnBy = z.enum(['person', 'wake', 'resume']);
export type TurnBy = z.infer<typeof TurnBy>;

export const TurnEnd = z.enum(['finished', 'failed', 'stopped', 'interrupted', 'stepLimit', 'superseded']);
export type TurnEnd = z.infer<typeof TurnEnd>;

/** What ended an answer in its middle. */
export const CutOff = z.enum(['stopped', 'interrupted', 'failed']);
export type CutOff = z.infer<typeof CutOff>;

export const Usage = z.object({
  inputTokens: z.int(),
  outputTokens: z.int(),
  cachedTokens: z.int().optional(),
  costUsd: z.number().optional(),
});
export type Usage = z.infer<typeof Usage>;

/** What a person is asked about. An approval is for exactly this text, in this folder, at this place. */
export const QuestionAbout = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('clarify') }),
  z.object({ kind: z.literal('approval'), command: z.string(), cwd: z.string(), place: z.string() }),
]);
export type QuestionAbout = z.infer<typeof QuestionAbout>;

/** The door that an answer came through: who holds the token, a browser that is signed in, or a process that may. */
export const AnsweredVia = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('token') }),
  z.object({ kind: z.literal('browser'), id: BrowserId }),
  z.object({ kind: z.literal('process'), id: z.string() }),
]);
export type AnsweredVia = z.infer<typeof AnsweredVia>;

/** Notes are for people; `recovery` is the one that a resumed turn begins with. */
export const NoteAbout = z.enum(['resumed', 'notResumed', 'recovery', 'digest', 'paused', 'moved', 'unfamiliar']);
export type NoteAbout = z.infer<typeof NoteAbout>;

/** A notice that took part in a wake, with what it was about. */
export const WakeCause = z.object({ notice: NoticeId }).and(Cause);
export type WakeCause = z.infer<typeof WakeCause>;

/**
 * Signatures and sealed reasoning that a provider wants back with the message they came with. Plain JSON, to be stored
 * as it is with the thought; of no use to anybody else, another provider included.
 */
export const Kept = z.object({ provider: z.string(), content: z.unknown() });
export type Kept = z.infer<typeof Kept>;

/** An answer that consists only of this word is kept in the journal and not sent. */
export const SILENCE_WORD = 'NOTHING_TO_SAY';

const entry = <Kind extends string, Shape extends z.core.$ZodShape>(kind: Kind, shape: Shape) =>
  z.object({ kind: z.literal(kind), ...shape });

/** The model's own name for a tool call: unique among the calls of one step, and no further. */
const call = z.string();

/** What one thought of the model is written down as: reasoning, text and calls, in this order. The first of them bears `kept`. */
const kept = Kept.optional();

export const EntryBody = z.discriminatedUnion('kind', [
  entry('message', { message: MessageId, text: z.string(), mode: Mode, from: z.string() }),
  /**
   * `silent`: only the silence word, which is not sent to any person. `cutOff`: exactly the text that was shown before
   * its turn was ended.
   */
  entry('text', { text: z.string(), silent: z.boolean().optional(), cutOff: CutOff.optional(), kept }),
  entry('reasoning', { text: z.string(), kept }),
  entry('toolCall', { call, tool: z.string(), input: z.unknown(), kept }),
  entry('toolResult', {
    call,
    tool: z.string(),
    result: z.string(),
    failed: z.boolean(),
    process: ProcessId.optional(),
  }),
  /**
   * `heldBack` counts the notices that waited because of the budget: more than none makes it a digest. `midTurn` marks
   * what was told at a step of a turn that was running already.
   */
  entry('wake', { causes: z.array(WakeCause), heldBack: z.int().optional(), midTurn: z.boolean().optional() }),
  entry('turnBegan', { generation: z.int(), by: TurnBy, model: z.string() }),
  entry('turnEnded', { reason: TurnEnd, why: z.string().optional(), usage: Usage.optional() }),
  /** `call` is the tool call that waits for the answer. */
  entry('question', {
    question: QuestionId,
    text: z.string(),
    choices: z.array(z.string()).optional(),
    about: QuestionAbout,
    call: call.optional(),
    expiresAt: z.int().optional(),
  }),
  entry('answer', {
    question: QuestionId,
    text: z.string(),
    by: z.enum(['person', 'timeout']),
    via: AnsweredVia.optional(),
  }),
  /** `original` is an entry that this version does not know, as it was found. */
  entry('note', { text: z.string(), about: NoteAbout, original: z.unknown().optional() }),
  /** Stands for everything up to and including the entry `upTo`. */
  entry('compaction', { upTo: z.int(), summary: z.string() }),
]);
export type EntryBody = z.infer<typeof EntryBody>;

/** An entry as the store keeps it. */
export type Entry = EntryBody & {
  readonly seq: number;
  readonly session: SessionId;
  readonly turn?: TurnId;
  readonly at: number;
};

const Head = z.object({ seq: z.int(), session: SessionId, turn: TurnId.optional(), at: z.string() });

/** An entry as people and programs see it. */
export const EntryView = Head.and(EntryBody);
export type EntryView = z.infer<typeof EntryView>;

/** What a person is waited with: it stands as unread until it was seen. */
export const speaks = (body: EntryBody): boolean =>
  body.kind === 'question' || (body.kind === 'text' && !body.silent && !body.cutOff && body.text !== '');

/** What was written down, by whichever version. */
export function readBody(written: unknown): EntryBody {
  const known = EntryBody.safeParse(written);
  return known.success ? known.data : unfamiliar(written);
}

/** The same for an entry that came over the wire; only its number, session and time must be there. */
export const readEntry = (sent: unknown): EntryView => {
  const { seq, session, turn, at } = Head.parse(sent);
  return { seq, session, ...(turn && { turn }), at, ...readBody(sent) };
};

export const SentEntry = z.unknown().transform(readEntry);

function unfamiliar(original: unknown): EntryBody {
  const { kind, text } = z.looseObject({}).catch({}).parse(original);
  const named = typeof kind === 'string' ? `An entry (${kind})` : 'An entry';
  const shown = typeof text === 'string' ? text : `${named} that this version of Rouse cannot show.`;
  return { kind: 'note', about: 'unfamiliar', text: shown, original };
}
