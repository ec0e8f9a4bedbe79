import { z } from 'zod';
import { SessionId } from './ids.js';
import { OutputPage } from './output.js';
import { ProcessState, ProcessView } from './process.js';
import { Signal } from './signal.js';

/** Requests and answers of the HTTP interface, beside the shapes that stand in files of their own. */

export const ListQuery = z.strictObject({
  session: SessionId.optional(),
  state: ProcessState.optional(),
  limit: z.coerce.number().int().min(1).max(10_000).optional(),
});

export const PollQuery = z.strictObject({ tail: z.coerce.number().int().min(1).max(1_000).optional() });

export const WaitRequest = z.strictObject({
  timeoutMs: z
    .number()
    .positive('a wait of zero or less waits for nothing: give a positive number of milliseconds')
    .max(3_600_000),
});

export const KillRequest = z.strictObject({ signal: Signal.optional() });

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

export const HealthAnswer = z.object({
  status: z.enum(['ok', 'stopping']),
  version: z.string(),
  home: z.string().optional(),
  startedAt: z.string(),
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
