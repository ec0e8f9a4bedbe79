import { DONE, ID, type AddCommand } from '../command.js';
import { hostOf } from '../host/background.js';

export const addClose: AddCommand = (program, caller, ends) => {
  program
    .command('close')
    .description('end the input of a process, as Ctrl-D does')
    .argument('<id>', ID)
    .action(
      ends(async (id: string) => {
        await (await hostOf(caller)).closeInput(id);
        return DONE;
      }),
    );
};
