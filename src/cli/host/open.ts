import { ensureHost } from './background.js';
import { answer, answerJson, say, type Caller } from '../caller.js';
import { DONE, type AddCommand } from '../command.js';

export const addOpen: AddCommand = (program, caller, ends) => {
  program
    .command('open')
    .description('print a link that opens the page in a browser and signs it in, once')
    .option('--json', 'print it as JSON')
    .action(ends((options: { json?: boolean }) => open(caller, options.json ?? false)));
};

async function open(caller: Caller, json: boolean): Promise<number> {
  const link = await (await ensureHost(caller)).signInLink();
  if (json) answerJson(caller, link);
  else {
    answer(caller, link.url);
    say(caller, 'Works once, within 15 minutes.');
  }
  return DONE;
}
