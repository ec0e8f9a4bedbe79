import { openQuestions } from '../client/screen.js';
import { hostOf } from './background.js';
import { answer as print, answerJson, say, type Caller } from './caller.js';
import { DONE, FAILED, SESSION_ID, type AddCommand } from './command.js';
import { oneLine } from './printable.js';

type Options = { question?: string; json?: boolean };

const LOOKED_AT = 1_000;

export const addAnswer: AddCommand = (program, caller, ends) => {
  program
    .command('answer')
    .description('answer a question of the agent')
    .argument('<session>', SESSION_ID)
    .argument('<text>', 'the answer: one of the choices, or whatever you want to say')
    .option('--question <id>', 'which question (default: the one that waits)')
    .option('--json', 'print the answer of the host')
    .action(ends((session: string, text: string, options: Options) => answer(caller, session, text, options)));
};

async function answer(caller: Caller, typed: string, text: string, { question, json }: Options): Promise<number> {
  const client = await hostOf(caller);
  const { session, entries } = await client.session(typed, { entries: LOOKED_AT });
  const waiting = openQuestions({ entries });
  const [only, ...more] =
    question === undefined ? waiting : waiting.filter(({ question: id }) => isMeant(id, question));
  if (!only || more.length > 0) {
    say(caller, only ? 'More than one question waits:' : `No ${question === undefined ? '' : 'such '}question waits.`);
    for (const { question: id, text } of only ? waiting : [])
      say(caller, `  ${oneLine(text)}  rouse answer ${session.id} TEXT --question ${id}`);
    return FAILED;
  }
  const answered = await client.answer(session.id, only.question, text);
  if (json) answerJson(caller, answered);
  else print(caller, 'answered');
  return DONE;
}

/** An id may be shortened, and begin without its prefix. */
const isMeant = (id: string, typed: string): boolean =>
  id.startsWith(typed) || id.slice('qst_'.length).startsWith(typed);
