import { hostOf } from './background.js';
import { answer, answerJson, type Caller } from './caller.js';
import { DONE, SESSION_ID, type AddCommand } from './command.js';

export const addResume: AddCommand = (program, caller, ends) => {
  program
    .command('resume')
    .description('let the wakes of a session go on that were paused after a failed turn')
    .argument('<session>', SESSION_ID)
    .option('--json', 'print the answer of the host')
    .action(ends((session: string, options: { json?: boolean }) => resume(caller, session, options.json ?? false)));
};

async function resume(caller: Caller, typed: string, json: boolean): Promise<number> {
  const client = await hostOf(caller);
  const { session } = await client.session(typed, { entries: 0 });
  const resumed = await client.resumeWakes(session.id);
  if (json) answerJson(caller, resumed);
  else answer(caller, session.state === 'paused' ? 'resumed' : 'its wakes are not paused');
  return DONE;
}
