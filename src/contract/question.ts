/** Questions to people, as they are answered. */
import { z } from 'zod';
import { QuestionId, type TurnId } from './ids.js';
import { QuestionAbout, type EntryBody } from './journal.js';

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

export const QuestionsAnswer = z.object({ questions: z.array(QuestionView) });

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
