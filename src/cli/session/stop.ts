import { hostOf } from '../host/background.js';
import { answer, answerJson, say, type Caller } from '../caller.js';
import { DONE, SESSION_ID, type AddCommand } from '../command.js';

export const addStop: AddCommand = (program, caller, ends) => {
  program
    .command('stop')
    .description('end the turn that runs in a session; its processes go on')
    .argument('<session>', SESSION_ID)
    .option('--json', 'print the answer of the host')
    .action(ends((session: string, options: { json?: boolean }) => stop(caller, session, options.json ?? false)));
};

async function stop(caller: Caller, typed: string, json: boolean): Promise<number> {
  const stopped = await (await hostOf(caller)).stop(typed);
  const { session, outcome } = stopped;
  if (json) answerJson(caller, stopped);
  else answer(caller, outcome === 'stopped' ? 'stopped' : 'nothing runs');
  if (session.running > 0) say(caller, `What still runs for it: rouse ps --session ${session.id}`);
  return DONE;
}
