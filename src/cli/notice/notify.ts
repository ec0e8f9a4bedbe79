import { text as whole } from 'node:stream/consumers';
import { hostOf } from '../host/background.js';
import { answer, answerJson, say, type Caller } from '../caller.js';
import { DONE, SESSION_ID, type AddCommand } from '../command.js';

type Options = { session: string; key?: string; from?: string; json?: boolean };

export const addNotify: AddCommand = (program, caller, ends) => {
  program
    .command('notify')
    .description('tell a session something; prints the id of the notice')
    .argument('<text>', 'the text; "-" reads it from standard input')
    .requiredOption('--session <id>', SESSION_ID)
    .option('--key <key>', 'the same key again for the same session is the same notice, told once')
    .option('--from <who>', 'a word for who tells it (default: outside)')
    .option('--json', 'print the answer of the host')
    .action(ends((text: string, options: Options) => notify(caller, text, options)));
};

async function notify(caller: Caller, given: string, { session, json, ...known }: Options): Promise<number> {
  const client = await hostOf(caller);
  const text = given === '-' ? await whole(caller.stdin) : given;
  const answered = await client.notify(session, text, known);
  const { notice, outcome } = answered;
  if (json) answerJson(caller, answered);
  else answer(caller, notice.id);
  if (outcome === 'duplicate')
    say(caller, `The key was used before: ${notice.id} is that notice, and nothing was added.`);
  return DONE;
}
