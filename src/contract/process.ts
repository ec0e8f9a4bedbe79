import { z } from 'zod';
import { ProcessId, SessionId, TypedId } from './ids.js';
import { OutputPage, OutputQuery } from './output.js';

/** How a process ended. `lost` means that it cannot be known, and `why` says why not. */
export const End = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('exited'), code: z.int() }),
  z.object({ kind: z.literal('signalled'), signal: z.string(), by: z.string().optional() }),
  z.object({ kind: z.literal('lost'), why: z.string() }),
]);
export type End = z.infer<typeof End>;

export const ProcessState = z.enum(['starting', 'running', 'ended', 'unreachable']);
export type ProcessState = z.infer<typeof ProcessState>;

/** A process as people and programs see it. Times are ISO 8601; the command is shown with its secrets redacted. */
export const ProcessView = z.object({
  id: ProcessId,
  session: SessionId.optional(),
  name: z.string().optional(),
  command: z.string(),
  cwd: z.string(),
  place: z.string(),
  pty: z.boolean(),
  state: ProcessState,
  pid: z.int().optional(),
  startedAt: z.string(),
  endedAt: z.string().optional(),
  end: End.optional(),
  /** Who asked it to end, with which signal, whether or not it has. */
  stop: z.object({ by: z.string(), signal: z.string(), at: z.string() }).optional(),
  /** True when it is quiet and sits in a read of its input or its terminal. */
  waitingForInput: z.boolean().optional(),
  notifyOnComplete: z.boolean(),
  watchPatterns: z.array(z.string()),
  timeoutMs: z.int().optional(),
  outputBytes: z.int(),
  /** How many bytes of the middle of the output are gone because of the quota. */
  releasedBytes: z.int(),
});
export type ProcessView = z.infer<typeof ProcessView>;

/** What a running process uses, with all that it started: time of the processor since its start, memory now. */
export const ProcessUsage = z.object({
  process: ProcessId,
  cpuMs: z.int(),
  memoryBytes: z.int(),
  /** How many there are of them. */
  processes: z.int(),
});
export type ProcessUsage = z.infer<typeof ProcessUsage>;

const noNul = (text: string) => !text.includes('\0');

/** The kernel takes 128 KiB for one argument; the closing NUL counts. */
const ARGUMENT_BYTES = 131_071;
const ENVIRONMENT_BYTES = 1_048_576;
const utf8Bytes = (text: string) => {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
};

const Environment = z
  .record(z.string(), z.string().refine(noNul, 'a value holds a NUL'))
  .refine(
    (env) => Object.keys(env).every((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)),
    'names are letters, digits and underscores, and do not begin with a digit',
  )
  .refine(
    (env) => Object.keys(env).every((name) => !name.startsWith('ROUSE_')),
    'names that begin with ROUSE_ are reserved for Rouse',
  )
  .refine(
    (env) => Object.entries(env).every(([name, value]) => utf8Bytes(name) + utf8Bytes(value) + 1 < ARGUMENT_BYTES),
    'one variable is larger than 128 KiB, which is more than a program can be given',
  )
  .refine(
    (env) =>
      Object.entries(env).reduce((sum, [name, value]) => sum + utf8Bytes(name) + utf8Bytes(value), 0) <
      ENVIRONMENT_BYTES,
    'together the variables are larger than 1 MiB, which is more than a program can be given',
  );

/** What a caller asks for when it starts a process. */
export const StartRequest = z.strictObject({
  command: z
    .string()
    .refine((command) => command.trim() !== '', 'it is empty: give the command to run')
    .refine(noNul, 'it holds a NUL, which no command line can')
    .refine(
      (command) => utf8Bytes(command) <= ARGUMENT_BYTES,
      'it is longer than 128 KiB: write it to a file and run that',
    ),
  cwd: z.string().startsWith('/', 'it must be an absolute path').refine(noNul, 'it holds a NUL').optional(),
  env: Environment.optional(),
  pty: z.boolean().default(false),
  place: z.string().default('local'),
  session: TypedId.optional(),
  name: z.string().max(200, 'it is longer than 200 characters').optional(),
  notifyOnComplete: z.boolean().default(false),
  watchPatterns: z.array(z.string().min(1).max(1_000)).max(20).default([]),
  timeoutMs: z.int().positive('a time limit is at least 1 ms').max(2_147_483_647).optional(),
});
export type StartRequest = z.infer<typeof StartRequest>;
/** The same as it is written by a caller, with what has a default left out. */
export type StartInput = z.input<typeof StartRequest>;

/** The signals a person may send. Those in `ending` ask the process to end, so they are followed up with SIGKILL. */
const ending = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGKILL'] as const;
const telling = ['SIGUSR1', 'SIGUSR2', 'SIGSTOP', 'SIGCONT', 'SIGWINCH', 'SIGALRM'] as const;

/** Accepts `TERM`, `term` and `SIGTERM` alike. */
export const Signal = z.preprocess(
  (given) => (typeof given === 'string' ? `SIG${given.toUpperCase().replace(/^SIG/, '')}` : given),
  z.enum([...ending, ...telling]),
);
export type Signal = z.infer<typeof Signal>;

export const asksToEnd = (signal: Signal): boolean => (ending as readonly Signal[]).includes(signal);

export const ListQuery = z.strictObject({
  session: TypedId.optional(),
  state: ProcessState.optional(),
  limit: z.coerce.number().int().min(1).max(10_000).optional(),
});

/** How many of the last lines of the output to show. */
export const TailLines = z.coerce.number().int().min(1).max(1_000);

export const WaitRequest = z.strictObject({
  timeoutMs: z
    .number()
    .positive('a wait of zero or less waits for nothing: give a positive number of milliseconds')
    .max(3_600_000),
  /** For which session one looks: what its own process shows it is consumed. */
  session: TypedId.optional(),
});

/** What a session asks for its own process: `poll` its state and tail, `log` a page of its output. */
export const PollRequest = z.strictObject({ session: TypedId, tail: TailLines.optional() });
export const LogRequest = z.strictObject({ session: TypedId, query: OutputQuery.optional() });

export const InputRequest = z.strictObject({
  data: z.string().max(1_048_576, 'at most 1 MiB at a time'),
  /** Adds a newline. */
  submit: z.boolean().default(false),
});

export const ProcessAnswer = z.object({
  process: ProcessView,
  /** The last lines of its output, when asked for. */
  tail: OutputPage.optional(),
  /** Sentences a caller should know: what was left out, what cannot come. */
  notes: z.array(z.string()).optional(),
});
export type ProcessAnswer = z.infer<typeof ProcessAnswer>;

/** Left out: processes in places that cannot know. Two looks make a rate. */
export const UsageAnswer = z.object({ usage: z.array(ProcessUsage), at: z.string() });

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
