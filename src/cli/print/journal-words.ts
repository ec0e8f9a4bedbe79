/** Entries of a journal as a person reads them. */
import { personLine } from '../../contract/cause-line.js';
import type { EntryView, TurnEnd, Usage } from '../../contract/journal.js';
import type { QuestionView } from '../../contract/message.js';
import { shortened, unhidden } from '../../contract/display.js';
import { oneLine, prose } from './printable.js';

/** Who or what speaks, and the words; `dim` for what matters less. */
export type Said = {
  readonly who: string;
  readonly tone: 'person' | 'agent' | 'cause' | 'question' | 'trouble' | 'dim';
  readonly text: string;
};

type Of<Kind extends EntryView['kind']> = Extract<EntryView, { kind: Kind }>;

const INPUT_CHARACTERS = 160;
const RESULT_CHARACTERS = 120;
const SUMMARY_CHARACTERS = 400;
const OUTPUT_LINES = 5;

/** Undefined for what a person need not see: the beginning of a turn, a thought, an answer that says nothing. */
export function saidIn(entry: EntryView, asked: readonly QuestionView[] = []): Said | undefined {
  switch (entry.kind) {
    case 'message':
      return { who: oneLine(entry.from), tone: 'person', text: prose(entry.text) };
    case 'text':
      return entry.silent || entry.text === '' ? undefined : { who: 'agent', tone: 'agent', text: prose(entry.text) };
    case 'toolCall':
      return { who: 'calls', tone: 'dim', text: `${oneLine(entry.tool)} ${inputInWords(entry.input)}`.trim() };
    case 'toolResult':
      return { who: entry.failed ? 'refused' : 'result', tone: 'dim', text: cut(entry.result, RESULT_CHARACTERS) };
    case 'wake':
      return { who: entry.midTurn ? 'notified' : 'woken', tone: 'cause', text: causes(entry) };
    case 'question':
      return { who: 'asks', tone: 'question', text: question(entry, asked) };
    case 'answer':
      return entry.by === 'timeout'
        ? { who: 'answer', tone: 'dim', text: 'no answer in time' }
        : { who: 'answer', tone: 'person', text: `${prose(entry.text)}${viaInWords(entry)}` };
    case 'note':
      return { who: 'note', tone: 'cause', text: prose(entry.text) };
    case 'compaction':
      return { who: 'summary', tone: 'dim', text: `of everything before: ${cut(entry.summary, SUMMARY_CHARACTERS)}` };
    case 'turnEnded':
      return turnEnd(entry);
    case 'turnBegan':
    case 'reasoning':
      return undefined;
  }
}

const cut = (text: string, characters: number): string => shortened(oneLine(text), characters);

/** The command of a command; of other tools what they were given. */
function inputInWords(input: unknown): string {
  if (typeof input === 'string') return cut(input, INPUT_CHARACTERS);
  if (typeof input !== 'object' || input === null) return '';
  const { command, ...rest } = input as Record<string, unknown>;
  const more = Object.entries(rest).map(([name, value]) =>
    value === true ? name : `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const run = typeof command === 'string' ? [command] : [];
  return cut([...run, ...(more.length > 0 ? [`(${more.join(', ')})`] : [])].join(' '), INPUT_CHARACTERS);
}

/** What happened, and the last lines of what the process wrote. */
const causes = ({ causes, heldBack = 0 }: Of<'wake'>): string =>
  [
    ...(heldBack > 0 ? [`Digest: ${heldBack} of these waited because there were too many wakes in a row.`] : []),
    ...causes.flatMap((cause) => [personLine(cause), ...tail(('output' in cause && cause.output?.text) || '')]),
  ].join('\n');

const tail = (output: string): readonly string[] =>
  output === ''
    ? []
    : prose(output)
        .trimEnd()
        .split('\n')
        .slice(-OUTPUT_LINES)
        .map((line) => `│ ${shortened(line, RESULT_CHARACTERS)}`);

/** A question that waits is shown exactly as it was asked, with the way to answer it; one that is over as it is stored. */
function question(entry: Of<'question'>, asked: readonly QuestionView[]): string {
  const open = asked.find(({ question }) => question === entry.question);
  const howTo = open ? [`Answer: rouse answer ${entry.session} TEXT --question ${entry.question}`] : [];
  return [...askedInWords(open ?? entry), ...howTo].join('\n');
}

/** All of it: an approval is for exactly this text, in this folder, at this place. */
export const askedInWords = ({ text, choices, about }: Pick<QuestionView, 'text' | 'choices' | 'about'>): string[] => [
  prose(text),
  ...(about.kind === 'approval'
    ? [
        ...unhidden(about.command)
          .split('\n')
          .map((line) => `│ ${line}`),
        `  in ${unhidden(about.cwd)} at ${unhidden(about.place)}`,
      ]
    : []),
  ...(choices ? [`Choices: ${choices.map(oneLine).join(' · ')}`] : []),
];

const viaInWords = ({ via }: Of<'answer'>): string => {
  if (via?.kind === 'browser') return ' (from a browser)';
  return via?.kind === 'process' ? ` (from process ${oneLine(via.id)})` : '';
};

export const TURN_ENDS = {
  finished: 'The turn finished',
  failed: 'The turn failed',
  stopped: 'The turn was stopped',
  interrupted: 'The turn was interrupted by another message',
  stepLimit: 'Rouse ended the turn',
  superseded: 'The turn was ended: the session was reset or closed',
} as const satisfies Record<TurnEnd, string>;

function turnEnd({ reason, why, usage }: Of<'turnEnded'>): Said | undefined {
  const used = usage ? usageInWords(usage) : [];
  const because = why === undefined ? '' : `: ${cut(why, 1_000)}`;
  if (reason !== 'finished')
    return {
      who: 'end',
      tone: reason === 'failed' || reason === 'stepLimit' ? 'trouble' : 'cause',
      text: [`${TURN_ENDS[reason]}${because}`, ...used].join(' · '),
    };
  const parts = [...(why === undefined ? [] : [cut(why, 1_000)]), ...used];
  return parts.length === 0 ? undefined : { who: 'end', tone: 'dim', text: parts.join(' · ') };
}

function usageInWords({ inputTokens, outputTokens, cachedTokens = 0, costUsd }: Usage): readonly string[] {
  if (inputTokens === 0 && outputTokens === 0) return [];
  const cached = cachedTokens > 0 ? ` (${cachedTokens} cached)` : '';
  const cost = costUsd === undefined ? [] : [`$${costUsd.toFixed(costUsd < 0.1 ? 4 : 2)}`];
  return [`${inputTokens} tokens in${cached}, ${outputTokens} out`, ...cost];
}
