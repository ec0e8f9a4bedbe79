import { onAnyHost } from '../host/background.js';
import { answer, answerJson, type Caller } from '../caller.js';
import { DONE, SESSION_ID, type AddCommand } from '../command.js';

export const addResume: AddCommand = (program, caller, ends) => {
  program
    .command('resume')
    .description('lift the pause of a session and continue what a failed turn left unfinished')
    .argument('<session>', SESSION_ID)
    .option('--json', 'print the answer of the host')
    .action(ends((session: string, options: { json?: boolean }) => resume(caller, session, options.json ?? false)));
};

async function resume(caller: Caller, typed: string, json: boolean): Promise<number> {
  const resumed = await onAnyHost(caller, (client) => client.resumeWakes(typed));
  if (json) answerJson(caller, resumed);
  else answer(caller, resumed.outcome === 'resumed' ? 'resumed' : 'nothing to resume');
  return DONE;
}
