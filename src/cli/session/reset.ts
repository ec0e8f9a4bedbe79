import { hostOf } from '../host/background.js';
import { answer, answerJson, say, type Caller } from '../caller.js';
import { DONE, SESSION_ID, type AddCommand } from '../command.js';

export const addReset: AddCommand = (program, caller, ends) => {
  program
    .command('reset')
    .description('begin a session anew: its turn ends, what it is owed is told no more; its processes go on')
    .argument('<session>', SESSION_ID)
    .option('--json', 'print the answer of the host')
    .action(ends((session: string, options: { json?: boolean }) => reset(caller, session, options.json ?? false)));
};

async function reset(caller: Caller, typed: string, json: boolean): Promise<number> {
  const done = await (await hostOf(caller)).reset(typed);
  if (json) answerJson(caller, done);
  else answer(caller, 'begun anew');
  if (done.session.running > 0) say(caller, `What still runs for it: rouse ps --session ${done.session.id}`);
  return DONE;
}
