import { z } from 'zod';
import { NoticeId, ProcessId, SessionId, TurnId, TypedId } from './ids.js';
import { End } from './process.js';

export const NoticeKind = z.enum([
  'completion',
  'watch_match',
  'watch_disabled',
  'watch_overflow_tripped',
  'watch_overflow_released',
  'message',
]);
export type NoticeKind = z.infer<typeof NoticeKind>;

/** `pending` is still owed; every other state is a settlement, and names its reason. */
export const NoticeState = z.enum(['pending', 'delivered', 'consumed', 'suppressed', 'expired', 'dead']);
export type NoticeState = z.infer<typeof NoticeState>;

/** The last lines of an output. `cut` says that something before them is missing. */
export const Excerpt = z.object({ text: z.string(), cut: z.boolean(), lines: z.int() });
export type Excerpt = z.infer<typeof Excerpt>;

/** The process that a fact is about. Secrets in its command are redacted. */
const about = { process: ProcessId, command: z.string(), name: z.string().optional() };

/** How it ended, once it has: with the fact, or before the fact was delivered. */
const ending = { end: End.optional(), startedAt: z.int().optional(), endedAt: z.int().optional() };

/** How many bytes of the output could not be scanned for the patterns, if any; 0 if the number is unknown. */
const unsearched = z.int().optional();

/**
 * What the fact was, as data from which all texts are derived; its secrets are already redacted. Times are
 * milliseconds since 1970. `heldBack` counts matches that were never told.
 */
export const Cause = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('completion'),
    ...about,
    end: End,
    startedAt: z.int(),
    endedAt: z.int(),
    heldBack: z.int(),
    output: Excerpt,
    unsearched,
  }),
  /** The last one of a process reports its end as well, and has the tail of its output. */
  z.object({
    kind: z.literal('watch_match'),
    ...about,
    pattern: z.string(),
    text: z.string(),
    heldBack: z.int(),
    ...ending,
    output: Excerpt.optional(),
    unsearched,
  }),
  /** Watching ends after this many strikes; the end of the process is reported instead. */
  z.object({ kind: z.literal('watch_disabled'), ...about, strikes: z.int(), heldBack: z.int(), ...ending }),
  /** More than `max` matches of all processes in `windowMs`; the last of them was this process's. */
  z.object({
    kind: z.literal('watch_overflow_tripped'),
    process: ProcessId,
    max: z.int(),
    windowMs: z.int(),
    silenceMs: z.int(),
  }),
  z.object({ kind: z.literal('watch_overflow_released'), process: ProcessId, heldBack: z.int() }),
  /** From outside; `from` is a word such as `person` or `webhook`. */
  z.object({ kind: z.literal('message'), text: z.string(), from: z.string() }),
]);
export type Cause = z.infer<typeof Cause>;

/** A notice as people and programs see it. Times are ISO 8601; `seq` orders the notices of a host. */
export const NoticeView = z.object({
  id: NoticeId,
  kind: NoticeKind,
  session: SessionId,
  process: ProcessId.optional(),
  state: NoticeState,
  reason: z.string().optional(),
  at: z.string(),
  settledAt: z.string().optional(),
  turn: TurnId.optional(),
  attempts: z.int(),
  nextAttemptAt: z.string().optional(),
  seq: z.int(),
  /** The fact in one line for a person. */
  line: z.string(),
  /** Whether people see it, by the current policy of its session. */
  people: z.boolean(),
  cause: Cause,
});
export type NoticeView = z.infer<typeof NoticeView>;

/** Which notices people see. */
export const PeoplePolicy = z.enum(['all', 'result', 'error', 'off']);
export type PeoplePolicy = z.infer<typeof PeoplePolicy>;

/** What an agent is woken for. */
export const AgentPolicy = z.enum(['always', 'failure', 'never']);
export type AgentPolicy = z.infer<typeof AgentPolicy>;

export const NewNoticeRequest = z.strictObject({
  text: z.string().trim().min(1, 'it is empty').max(20_000, 'it is longer than 20,000 characters'),
  /** The same key again for the same session is the same notice. */
  key: z.string().min(1).max(200).optional(),
  from: z.string().min(1).max(100).default('outside'),
});

export const NoticeAnswer = z.object({ notice: NoticeView, outcome: z.enum(['admitted', 'duplicate']).optional() });
export type NoticeAnswer = z.infer<typeof NoticeAnswer>;

export const NoticesQuery = z.strictObject({
  session: TypedId.optional(),
  process: TypedId.optional(),
  state: NoticeState.optional(),
  limit: z.coerce.number().int().min(1).max(10_000).optional(),
});
