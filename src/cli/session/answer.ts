import { createInterface } from 'node:readline/promises';
import { whyNotOpen, type QuestionView } from '../../contract/message.js';
import type { EntryView } from '../../contract/journal.js';
import { hostOf } from '../host/background.js';
import { say, type Caller } from '../caller.js';
import { DONE, FAILED, print, SESSION_ID, WRONG_USAGE, type AddCommand } from '../command.js';
import { askedInWords } from '../print/journal-words.js';
import { oneLine } from '../print/printable.js';

type Options = { question?: string; json?: boolean };

const LOOKED_AT = 1_000;

export const addAnswer: AddCommand = (program, caller, ends) => {
  program
    .command('answer')
    .description('answer a question of the agent')
    .argument('<session>', SESSION_ID)
    .argument('[text]', 'the answer: one of the choices, or your own text; without it, you are asked at a prompt')
    .option('--question <id>', 'the question (default: the open one); required to approve without a prompt')
    .option('--json', 'print the response as JSON')
    .action(
      ends((session: string, text: string | undefined, options: Options) => answer(caller, session, text, options)),
    );
};

async function answer(caller: Caller, typed: string, text: string | undefined, options: Options): Promise<number> {
  const { question, json } = options;
  const client = await hostOf(caller);
  const { session, entries } = await client.session(typed, { entries: LOOKED_AT });
  const waiting = await client.questions(session.id);
  const [only, ...more] = waiting.filter(({ question: id }) => question === undefined || isMeant(id, question));
  const fail = (...lines: readonly string[]): number => {
    say(caller, lines.join('\n'));
    return FAILED;
  };
  if (!only) return fail(noneWaits(session.id, question, entries));
  if (more.length > 0)
    return fail('More than one question is open:', ...waiting.map((open) => `  ${howTo(session.id, open)}`));
  // A person who gives only a session may not know what is asked by now: a command is approved by its question or on sight.
  if (text !== undefined && question === undefined && only.about.kind === 'approval')
    return fail(
      ...askedInWords(only),
      `Not answered. An approval must name its question: rouse answer ${session.id} TEXT --question ${only.question}`,
    );
  const words = text ?? (await prompted(caller, only));
  if (words === undefined) {
    say(caller, `Give the answer: ${howTo(session.id, only)}`);
    return WRONG_USAGE;
  }
  print(caller, json, await client.answer(session.id, only.question, words), 'answered');
  return DONE;
}

/** Shows the question and reads the answer, if a person is there. */
async function prompted(caller: Caller, open: QuestionView): Promise<string | undefined> {
  if (!caller.stdin.isTTY || !caller.stderr.isTTY) return undefined;
  for (const line of askedInWords(open)) say(caller, line);
  const lines = createInterface({ input: caller.stdin, output: caller.stderr });
  try {
    return (await lines.question('Your answer: ')).trim() || undefined;
  } finally {
    lines.close();
  }
}

const howTo = (session: string, { question, text }: QuestionView): string =>
  `rouse answer ${session} TEXT --question ${question}   ${oneLine(text)}`;

function noneWaits(session: string, question: string | undefined, entries: readonly EntryView[]): string {
  const asked = entries.filter((entry) => entry.kind === 'question').map((entry) => entry.question);
  const id = asked.findLast((each) => question === undefined || isMeant(each, question));
  if (id !== undefined)
    return `The question ${id} of ${session} is no longer open: ${whyNotOpen(id, entries) ?? 'its turn is over'}.`;
  return question === undefined
    ? `No question is open in ${session}: its agent has not asked any.`
    : `There is no question ${oneLine(question)} in ${session}. To see open questions: rouse show ${session}`;
}

/** An id may be shortened, and begin without its prefix. */
const isMeant = (id: string, typed: string): boolean =>
  typed !== '' && (id.startsWith(typed) || id.slice('qst_'.length).startsWith(typed));
