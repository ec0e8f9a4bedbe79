/**
 * What the agent is shown of a journal, and what the journal holds of a thought.
 *
 *   entries ── behind the last compaction ──▶ steps: a thought, the results of its calls, what was told at its end
 *
 *   1. Every call has one result, in the order of the calls, directly behind them. A call that was cut off says so.
 *   2. Messages and notices that came while calls ran follow their results.
 *   3. An answer to a question is the result of the call that asked.
 *   4. Where a person stopped or interrupted a turn, or an answer broke off, a note says so behind it. The reasoning of
 *      an answer that was cut off is not shown: it has no seal.
 *   5. A compaction replaces all that it folded. Notes are for people and are not shown.
 */
import { CutOff, SILENCE_WORD, type Entry, type EntryBody, type Kept, type TurnEnd } from '../../contract/journal.js';
import type { Cause } from '../../contract/notice.js';
import { isSilence } from './system-prompt.js';
import { modelBlock } from '../notice/notice-block.js';

/** What the model is shown, oldest first. */
export type PromptMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'person'; readonly text: string }
  | NoticeMessage
  | {
      readonly role: 'agent';
      readonly text: string;
      readonly reasoning?: string;
      readonly calls: readonly ToolCall[];
      /** What the thought gave to be kept. Without it the message is understood all the same. */
      readonly kept?: Kept;
    }
  | {
      readonly role: 'tool';
      readonly call: string;
      readonly tool: string;
      readonly result: string;
      readonly failed: boolean;
    };

/** A machine-made message. Providers know no such role and get it as the user's; its text must say that no person spoke. */
export type NoticeMessage = {
  readonly role: 'notice';
  readonly text: string;
  /** The same facts as data. Models that read prose do not get them. */
  readonly causes: readonly Cause[];
  /** Told at a step of a turn that was running already. Without it, the notice began the turn: it is a wake. */
  readonly midTurn?: boolean;
};

export type ToolCall = {
  /** The provider's own name for the call: unique among the calls of one step, and no further. */
  readonly id: string;
  readonly tool: string;
  /** As the model gave it, unchecked; its plain text where that was not JSON. */
  readonly input: unknown;
};

type Of<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>;

/** The last compaction, and what it does not replace. */
export function visible(entries: readonly Entry[]): readonly Entry[] {
  const compaction = entries.findLast((entry): entry is Of<'compaction'> => entry.kind === 'compaction');
  const rest = entries.filter((entry) => entry.kind !== 'compaction' && entry.seq > (compaction?.upTo ?? -Infinity));
  return compaction ? [compaction, ...rest] : rest;
}

export function transcript(entries: readonly Entry[]): readonly PromptMessage[] {
  const shown = visible(entries);
  const answers = new Map(
    shown.flatMap((entry) => (entry.kind === 'answer' ? [[entry.question, entry] as const] : [])),
  );
  return stepsOf(shown).flatMap((step) => messagesOf(step, answers));
}

/** One thought of the agent with what belongs to it. A step without a thought is what was said between two. */
type Step = {
  readonly thought: Of<'reasoning' | 'text' | 'toolCall'>[];
  readonly results: Of<'toolResult'>[];
  readonly questions: Of<'question'>[];
  readonly told: Of<'message' | 'wake' | 'compaction' | 'text' | 'turnEnded'>[];
};

function stepsOf(entries: readonly Entry[]): readonly Step[] {
  const steps: Step[] = [];
  const open = (): Step => {
    const step = { thought: [], results: [], questions: [], told: [] };
    steps.push(step);
    return step;
  };
  let step = open();
  // A result may still come after its turn: a restart finds it. A new thought may not join the old one.
  let turnOver = false;
  for (const entry of entries)
    switch (entry.kind) {
      case 'reasoning':
      case 'text':
      case 'toolCall':
        if (turnOver || !continues(step, entry)) step = open();
        turnOver = false;
        step.thought.push(entry);
        if (entry.kind === 'text' && entry.cutOff === 'failed') step.told.push(entry);
        break;
      case 'toolResult':
        step.results.push(entry);
        break;
      case 'question':
        step.questions.push(entry);
        break;
      case 'message':
      case 'wake':
      case 'compaction':
        step.told.push(entry);
        break;
      case 'turnEnded':
        if (entry.reason === 'stopped' || entry.reason === 'interrupted') step.told.push(entry);
        turnOver = true;
        break;
      case 'turnBegan':
        turnOver = true;
        break;
      case 'answer':
      case 'note':
        break;
    }
  return steps;
}

const ORDER = ['reasoning', 'text', 'toolCall'];

/** A thought is stored as reasoning, text and calls, in this order, before anything else happens. */
function continues({ thought, results, questions, told }: Step, entry: Step['thought'][number]): boolean {
  const last = thought.at(-1);
  return (
    results.length + questions.length + told.length === 0 &&
    (!last || ORDER.indexOf(last.kind) <= ORDER.indexOf(entry.kind))
  );
}

type Answers = ReadonlyMap<string, Of<'answer'>>;

function messagesOf(step: Step, answers: Answers): readonly PromptMessage[] {
  const calls = step.thought.filter((entry) => entry.kind === 'toolCall');
  const told = step.told.map(toldMessage);
  const cut = step.thought.some((entry) => entry.kind === 'text' && entry.cutOff);
  // Providers refuse an answer that ends in blanks.
  const text = cut ? joined(step, 'text').trimEnd() : joined(step, 'text');
  if (text === '' && calls.length === 0) return told;
  const reasoning = cut ? '' : joined(step, 'reasoning');
  const kept: Kept | undefined = step.thought.find((entry) => entry.kept)?.kept;
  const thought: PromptMessage = {
    role: 'agent',
    text,
    ...(reasoning && { reasoning }),
    calls: calls.map(({ call, tool, input }) => ({ id: call, tool, input })),
    ...(kept && { kept }),
  };
  return [thought, ...calls.map((call) => resultOf(call, step, answers)), ...told];
}

const joined = (step: Step, kind: 'text' | 'reasoning'): string =>
  step.thought.flatMap((entry) => (entry.kind === kind ? [entry.text] : [])).join('\n\n');

function resultOf(call: Of<'toolCall'>, step: Step, answers: Answers): PromptMessage {
  const found = step.results.find((result) => result.call === call.call);
  const { result, failed } = found ?? answered(call, step, answers) ?? CUT_OFF;
  return { role: 'tool', call: call.call, tool: call.tool, result, failed };
}

/** The result of a call that a restart cut off. */
export const CUT_OFF = {
  result: 'This call was cut off before its result was known. It may have done all, some or nothing of its work.',
  failed: true,
};

function answered(call: Of<'toolCall'>, step: Step, answers: Answers): typeof CUT_OFF | undefined {
  const question = step.questions.find((asked) => (asked.call ?? call.call) === call.call);
  if (!question) return undefined;
  const answer = answers.get(question.question);
  const byPerson = answer?.by === 'person';
  if (question.about.kind === 'approval')
    return byPerson ? undefined : { result: 'Not run: it was not approved.', failed: true };
  return { result: byPerson ? answer.text : 'No person answered the question.', failed: false };
}

function toldMessage(entry: Step['told'][number]): PromptMessage {
  switch (entry.kind) {
    case 'message':
      return { role: 'person', text: entry.text };
    case 'wake':
      return wakeMessage(entry);
    case 'compaction':
      return note(`${SUMMARY}\n\n${entry.summary}`);
    case 'text':
      return note(BROKE_OFF);
    case 'turnEnded':
      return note(entry.reason === 'stopped' ? STOPPED : INTERRUPTED);
  }
}

const note = (text: string): PromptMessage => ({ role: 'notice', text, causes: [], midTurn: true });

const OURS = 'A note from Rouse, which is a machine; no person speaks here:';
const STOPPED = `${OURS} a person stopped you at this point. What you had written and done stands above. Do not take it up again unless a person asks you to.`;
const INTERRUPTED = `${OURS} a person interrupted you at this point with a new message. What you had written and done stands above.`;
const BROKE_OFF = `${OURS} the model failed at this point, so the answer above is cut off. People have seen it: continue where it ends, and do not repeat it.`;

const SUMMARY =
  'This is a summary that a machine, Rouse, has made of all that came before. No person speaks here: it answers no question and approves nothing.';

function wakeMessage({ causes, heldBack, midTurn }: Of<'wake'>): PromptMessage {
  const block = modelBlock(causes.map(({ notice, ...cause }) => ({ id: notice, cause })));
  const digest = heldBack ? `A digest: ${heldBack} notices waited, after too many wakes without a person.\n\n` : '';
  return { role: 'notice', text: `${digest}${block}`, causes, ...(midTurn && { midTurn }) };
}

type Thought = {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCall[];
  readonly kept?: Kept;
};

/** A thought as entries, in the order in which the model gave it; the first one holds what the provider wants back. */
export function entriesOf({ reasoning, text, calls, kept }: Thought): readonly EntryBody[] {
  const bodies: EntryBody[] = [
    ...(reasoning ? [{ kind: 'reasoning', text: reasoning } as const] : []),
    ...(text || calls.length === 0 ? [{ kind: 'text', text, ...(isSilence(text) && { silent: true }) } as const] : []),
    ...calls.map(({ id, tool, input }) => ({ kind: 'toolCall', call: id, tool, input }) as const),
  ];
  return bodies.map((body, index) => (index === 0 && kept ? { ...body, kept } : body) as EntryBody);
}

/** The words of a step that screens have shown. */
export type Shown = { readonly text: string; readonly reasoning: string };

export const NOTHING_SHOWN: Shown = { text: '', reasoning: '' };

/** Words that a person has seen stay in the journal (T5), unless the session was reset or closed.  */
export function cutOff({ text, reasoning }: Shown, reason: TurnEnd): readonly EntryBody[] {
  const by = CutOff.safeParse(reason);
  if (!by.success) return [];
  // Screens show nothing of an answer that may turn out to be the silence word.
  const spoken = !SILENCE_WORD.startsWith(text.trim());
  return [
    ...(reasoning.trim() === '' ? [] : [{ kind: 'reasoning', text: reasoning } as const]),
    ...(spoken ? [{ kind: 'text', text, cutOff: by.data } as const] : []),
  ];
}
