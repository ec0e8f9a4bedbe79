import { attachPipe } from './attach-pipe.js';
import { attachTerminal } from './attach-terminal.js';
import { say, type Caller } from '../caller.js';
import { FAILED, ID, type AddCommand } from '../command.js';
import { endingSentence } from '../process/ending.js';
import { hostOf } from '../host/background.js';

export const addAttach: AddCommand = (program, caller, ends) => {
  program
    .command('attach')
    .description('sit at the terminal of a process, or at its input and output; Ctrl-] lets go of a terminal')
    .argument('<id>', ID)
    .action(ends((id: string) => attach(caller, id)));
};

async function attach(caller: Caller, typed: string): Promise<number> {
  const { process } = await (await hostOf(caller)).process(typed);
  if (process.end) {
    say(caller, `${endingSentence(process)} Its output: rouse logs ${process.id}`);
    return FAILED;
  }
  if (!process.pty) return attachPipe(caller, process.id);
  if (caller.stdin.isTTY) return attachTerminal(caller, process);
  say(
    caller,
    `${process.id} has a terminal, and to sit at it takes one: standard input is none here. Without one: rouse write, rouse logs -f`,
  );
  return FAILED;
}
