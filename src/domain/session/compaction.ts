/**
 * When a session grows too long for its model, and where to fold it.
 *
 *   1. The last few turns stay whole, as many of them as take up no more than half of the window.
 *   2. Where even the last turn is too long, it is folded between two of its steps, never between a call and its result.
 *   3. A compaction that came before is folded into the next.
 */
import type { Entry } from '../../contract/journal.js';
import { type PromptMessage, transcript, visible } from './transcript.js';

/**
 * Roughly how many tokens a text has: good enough to fill a window with care, not to write a bill. A token is about four
 * letters of an alphabet, or two thirds of a sign of any other script.
 */
export function tokensOf(text: string): number {
  let plain = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 0x250) plain++;
  return Math.ceil(plain / 4 + (text.length - plain) / 1.5);
}

const AROUND_A_MESSAGE = 4;

function tokensOfMessage(message: PromptMessage): number {
  switch (message.role) {
    case 'system':
    case 'person':
    case 'notice':
      return tokensOf(message.text) + AROUND_A_MESSAGE;
    case 'agent':
      return tokensOf(message.text + (message.reasoning ?? '') + JSON.stringify(message.calls)) + AROUND_A_MESSAGE;
    case 'tool':
      return tokensOf(message.result) + AROUND_A_MESSAGE;
  }
}

export const tokensOfAll = (messages: readonly PromptMessage[]): number =>
  messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);

/** A quarter of the window is left for the answer and for what the count does not see. */
export const needsCompaction = (messages: readonly PromptMessage[], window: number): boolean =>
  tokensOfAll(messages) > window * 0.75;

/** Summarise `fold` and write it down as a compaction up to `upTo`. */
export type CompactionPlan = { readonly upTo: number; readonly fold: readonly Entry[] };

export function compactionPlan(entries: readonly Entry[], window: number, keepTurns = 3): CompactionPlan | undefined {
  const shown = visible(entries);
  const turns = turnStarts(shown).slice(-keepTurns);
  const steps = stepStarts(shown).filter((start) => start > (turns.at(-1) ?? 0));
  const cuts = [...turns, ...steps].filter((cut) => cut > firstToFold(shown));
  const fits = (cut: number) => tokensOfAll(transcript(shown.slice(cut))) <= window / 2;
  const cut = cuts.find(fits) ?? cuts.at(-1);
  if (cut === undefined) return undefined;
  return { upTo: shown[cut - 1]?.seq ?? 0, fold: shown.slice(0, cut) };
}

/** A compaction alone is not worth another. */
const firstToFold = (shown: readonly Entry[]): number => (shown[0]?.kind === 'compaction' ? 1 : 0);

/** Where turns begin that are not the resumption of another, with what was said to begin them. */
function turnStarts(shown: readonly Entry[]): readonly number[] {
  return shown.flatMap((entry, index) => {
    if (entry.kind !== 'turnBegan' || entry.by === 'resume') return [];
    let start = index;
    while (['message', 'wake'].includes(shown[start - 1]?.kind ?? '')) start -= 1;
    return [start];
  });
}

/** Where a new thought begins behind the results of the one before: whatever that one called is over. */
const stepStarts = (shown: readonly Entry[]): readonly number[] =>
  shown.flatMap((entry, index) =>
    shown[index - 1]?.kind === 'toolResult' && ['reasoning', 'text', 'toolCall'].includes(entry.kind) ? [index] : [],
  );
