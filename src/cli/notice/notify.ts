import { text as whole } from 'node:stream/consumers';
import { hostOf } from '../host/background.js';
import { say, type Caller } from '../caller.js';
import { printed, SESSION_ID, type AddCommand } from '../command.js';

type Options = { session: string; key?: string; from?: string; json?: boolean };

export const addNotify: AddCommand = (program, caller, ends) => {
  program
    .command('notify')
    .description('add a notice to a session; prints its id')
    .argument('<text>', 'the text; "-" reads it from standard input')
    .requiredOption('--session <id>', SESSION_ID)
    .option('--key <key>', 'makes it once: the same key again for the same session adds nothing')
    .option('--from <who>', 'who sends it (default: outside)')
    .option('--json', 'print the answer of the host')
    .action(ends((text: string, options: Options) => notify(caller, text, options)));
};

async function notify(caller: Caller, given: string, { session, json, ...known }: Options): Promise<void> {
  const client = await hostOf(caller);
  const text = given === '-' ? await whole(caller.stdin) : given;
  const answered = await client.notify(session, text, known);
  const { notice, outcome } = answered;
  printed(caller, json, answered, notice.id);
  if (outcome === 'duplicate') say(caller, `Nothing was added: notice ${notice.id} already has this key.`);
}
