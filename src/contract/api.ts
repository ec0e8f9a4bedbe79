import { z } from 'zod';
import { MessageId, QuestionId } from './ids.js';
import { Mode, readEntry } from './journal.js';
import { NoticeState, NoticeView } from './notice.js';
import { OutputPage, OutputQuery } from './output.js';
import { ProcessState, ProcessUsage, ProcessView } from './process.js';
import { SessionView } from './session.js';
import { Signal } from './signal.js';

/** Requests and answers of the HTTP interface, beside the shapes that stand in files of their own. */

/** An id as a person types it: whole or shortened. */
const Typed = z.string().min(1).max(60);

export const ListQuery = z.strictObject({
  session: Typed.optional(),
  state: ProcessState.optional(),
  limit: z.coerce.number().int().min(1).max(10_000).optional(),
});

export const PollQuery = z.strictObject({ tail: z.coerce.number().int().min(1).max(1_000).optional() });

export const WaitRequest = z.strictObject({
  timeoutMs: z
    .number()
    .positive('a wait of zero or less waits for nothing: give a positive number of milliseconds')
    .max(3_600_000),
  /** For which session one looks: what its own process shows it is consumed. */
  session: Typed.optional(),
});

export const KillRequest = z.strictObject({ signal: Signal.optional(), session: Typed.optional() });

/** What a session asks for its own process: `poll` its state and tail, `log` a page of its output. */
export const PollRequest = z.strictObject({ session: Typed, tail: PollQuery.shape.tail });
export const LogRequest = z.strictObject({ session: Typed, query: OutputQuery.optional() });

export const InputRequest = z.strictObject({
  data: z.string().max(1_048_576, 'at most 1 MiB at a time'),
  /** Adds a newline. */
  submit: z.boolean().default(false),
});

export const ResizeRequest = z.strictObject({ rows: z.int().min(1).max(1_000), cols: z.int().min(1).max(1_000) });

export const ProcessAnswer = z.object({
  process: ProcessView,
  /** The last lines of its output, when asked for. */
  tail: OutputPage.optional(),
  /** Sentences a caller should know: what was left out, what cannot come. */
  notes: z.array(z.string()).optional(),
});
export type ProcessAnswer = z.infer<typeof ProcessAnswer>;

export const ProcessesAnswer = z.object({ processes: z.array(ProcessView) });

/** Left out: processes in places that cannot know. Two looks make a rate. */
export const UsageAnswer = z.object({ usage: z.array(ProcessUsage), at: z.string() });
export type UsageAnswer = z.infer<typeof UsageAnswer>;

export const WaitAnswer = ProcessAnswer.extend({
  /** `running` is no error: the process goes on, and one may wait again. */
  outcome: z.enum(['ended', 'running']),
});
export type WaitAnswer = z.infer<typeof WaitAnswer>;

export const KillAnswer = ProcessAnswer.extend({
  outcome: z.enum(['ended', 'already-ended', 'signalled']),
  survivors: z.array(z.object({ pid: z.int(), command: z.string(), why: z.string() })),
});
export type KillAnswer = z.infer<typeof KillAnswer>;

export const LogAnswer = z.object({ process: ProcessView, output: OutputPage });
export type LogAnswer = z.infer<typeof LogAnswer>;

/** A message that was taken; `waiting` until its turn comes. */
export const WaitingMessage = z.object({
  id: MessageId,
  text: z.string(),
  mode: Mode,
  from: z.string(),
  at: z.string(),
  state: z.enum(['waiting', 'begun', 'told', 'answered', 'dropped', 'withdrawn']),
});
export type WaitingMessage = z.infer<typeof WaitingMessage>;

export const SessionAnswer = z.object({
  session: SessionView,
  outcome: z.enum(['made', 'known', 'reset', 'answered', 'resumed', 'nothing-to-resume']).optional(),
  /** Told once, when the webhook is set. */
  webhookSecret: z.string().optional(),
});
export type SessionAnswer = z.infer<typeof SessionAnswer>;

export const SessionsAnswer = z.object({ sessions: z.array(SessionView) });

/** The session, its last entries, and the number up to which both are true. */
export const SnapshotAnswer = SessionAnswer.extend({
  entries: z.array(z.unknown().transform(readEntry)),
  waiting: z.array(WaitingMessage),
  seq: z.int(),
});
export type SnapshotAnswer = z.infer<typeof SnapshotAnswer>;

export const SnapshotQuery = z.strictObject({ entries: z.coerce.number().int().min(0).max(5_000).optional() });

export const EntriesAnswer = z.object({ entries: z.array(z.unknown().transform(readEntry)) });

export const EntriesQuery = z.strictObject({
  after: z.coerce.number().int().min(0).optional(),
  before: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(5_000).optional(),
});

export const MessageRequest = z.strictObject({
  text: z.string().trim().min(1, 'it is empty').max(1_000_000, 'it is longer than 1,000,000 characters'),
  /** What becomes of it while a turn runs: it waits, is told at the next step, or ends the turn. */
  mode: Mode.default('queue'),
  /** The same key again for the same session is the same message. */
  key: z.string().min(1).max(200).optional(),
  from: z.string().min(1).max(100).default('person'),
});

export const MessageAnswer = z.object({
  message: WaitingMessage,
  disposition: z.enum(['started', 'queued', 'steered', 'interrupted', 'duplicate']),
  /** Sentences that the sender should know, such as that the host is stopping. */
  notes: z.array(z.string()).optional(),
});
export type MessageAnswer = z.infer<typeof MessageAnswer>;

/** What may be changed of a message that waits. */
export const MessageChanges = z
  .strictObject({ text: MessageRequest.shape.text.optional(), mode: Mode.optional() })
  .refine(({ text, mode }) => (text ?? mode) !== undefined, 'give a text, a mode, or both');
export type MessageChanges = z.infer<typeof MessageChanges>;

/** A message as it is now. */
export const WaitingAnswer = z.object({ message: WaitingMessage });
export type WaitingAnswer = z.infer<typeof WaitingAnswer>;

export const StopAnswer = z.object({ session: SessionView, outcome: z.enum(['stopped', 'nothing-runs']) });
export type StopAnswer = z.infer<typeof StopAnswer>;

/** In which a command inside a process that Rouse started says so. */
export const PROCESS_HEADER = 'rouse-process';

export const AnswerRequest = z.strictObject({ question: QuestionId, text: z.string().trim().min(1).max(20_000) });

export const ModelsAnswer = z.object({
  default: z.string(),
  models: z.array(
    z.object({ id: z.string(), provider: z.string(), name: z.string(), contextWindow: z.int().optional() }),
  ),
  refreshedAt: z.string().optional(),
  /** `built-in` when no provider has said yet what it has. */
  source: z.enum(['built-in', 'cached']),
});
export type ModelsAnswer = z.infer<typeof ModelsAnswer>;

export const NewNoticeRequest = z.strictObject({
  text: z.string().trim().min(1, 'it is empty').max(20_000, 'it is longer than 20,000 characters'),
  /** The same key again for the same session is the same notice. */
  key: z.string().min(1).max(200).optional(),
  from: z.string().min(1).max(100).default('outside'),
});

export const NoticeAnswer = z.object({ notice: NoticeView, outcome: z.enum(['admitted', 'duplicate']).optional() });
export type NoticeAnswer = z.infer<typeof NoticeAnswer>;

export const NoticesQuery = z.strictObject({
  session: Typed.optional(),
  process: Typed.optional(),
  state: NoticeState.optional(),
  limit: z.coerce.number().int().min(1).max(10_000).optional(),
});

export const WhyAnswer = z.object({ sentences: z.array(z.string()), notices: z.array(NoticeView) });
export type WhyAnswer = z.infer<typeof WhyAnswer>;

export const EventsQuery = z.strictObject({
  session: Typed.optional(),
  after: z.coerce.number().int().min(0).optional(),
});

/** Without a token it is the status alone. */
export const HealthAnswer = z.object({
  status: z.enum(['ok', 'stopping']),
  version: z.string().optional(),
  startedAt: z.string().optional(),
});
export type HealthAnswer = z.infer<typeof HealthAnswer>;

/** RFC 9457. `type` is a word behind `/problems/`, one for each refusal. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  candidates: z.array(z.string()).optional(),
});
export type Problem = z.infer<typeof Problem>;
