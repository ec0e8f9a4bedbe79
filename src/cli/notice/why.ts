import { onAnyHost } from '../host/background.js';
import { answer, answerJson, type Caller } from '../caller.js';
import { DONE, NOTICE_OR_PROCESS, type AddCommand } from '../command.js';

export const addWhy: AddCommand = (program, caller, ends) => {
  program
    .command('why')
    .description('explain what became of a notice or of all notices of a process, or what a session waits for')
    .argument('<id>', NOTICE_OR_PROCESS)
    .option('--json', 'print the sentences and the notices as JSON')
    .action(ends((id: string, options: { json?: boolean }) => why(caller, id, options.json ?? false)));
};

async function why(caller: Caller, id: string, json: boolean): Promise<number> {
  const explained = await onAnyHost(caller, (client) => client.why(id));
  if (json) answerJson(caller, explained);
  else for (const sentence of explained.sentences) answer(caller, sentence);
  return DONE;
}
