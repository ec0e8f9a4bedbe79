/** What people send to a session: messages, answers to its questions, files. */
import { z } from 'zod';
import { MessageId, QuestionId, type TurnId } from './ids.js';
import { Mode, QuestionAbout, type EntryBody } from './journal.js';

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

export const MessageRequest = z.strictObject({
  text: z.string().trim().min(1, 'it is empty').max(1_000_000, 'it is longer than 1,000,000 characters'),
  /** What happens to it during a turn: it waits, reaches the agent at the next step, or ends the turn. */
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

/** A question that waits, exactly as it was asked: nothing in it is redacted or shortened. */
export const QuestionView = z.object({
  question: QuestionId,
  text: z.string(),
  choices: z.array(z.string()).optional(),
  about: QuestionAbout,
  at: z.string(),
  expiresAt: z.string(),
});
export type QuestionView = z.infer<typeof QuestionView>;

type Written = EntryBody & { readonly turn?: TurnId | undefined };

/** Why a question does not wait any more, as the end of a sentence; undefined when it was never asked here. */
export function whyNotOpen(question: string, entries: readonly Written[]): string | undefined {
  const at = entries.findLastIndex((entry) => entry.kind === 'question' && entry.question === question);
  const asked = entries[at];
  if (asked === undefined) return undefined;
  const after = entries.slice(at + 1);
  const answer = after.find((entry) => entry.kind === 'answer' && entry.question === question);
  if (answer?.kind === 'answer') return answer.by === 'timeout' ? 'it timed out' : 'it was answered before';
  const end = after.find((entry) => entry.kind === 'turnEnded' && entry.turn === asked.turn);
  return end?.kind === 'turnEnded' ? `its turn was ${ENDED[end.reason]}` : 'its turn is over';
}

const ENDED = {
  finished: 'finished',
  failed: 'ended by a failure',
  stopped: 'stopped',
  interrupted: 'interrupted',
  stepLimit: 'ended at the limit of steps',
  superseded: 'given up',
} as const;

/** A file that a person gave to a session; `path` is where the agent finds it. */
export const FileAnswer = z.object({ file: z.object({ name: z.string(), path: z.string(), bytes: z.int() }) });
