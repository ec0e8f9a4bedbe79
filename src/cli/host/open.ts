import { say } from '../caller.js';
import { printed, type AddCommand } from '../command.js';
import { ensureHost } from './background.js';

export const addOpen: AddCommand = (program, caller, ends) => {
  program
    .command('open')
    .description('print a link that opens the page in a browser and signs it in, once')
    .option('--json', 'print it as JSON')
    .action(
      ends(async ({ json }: { json?: boolean }) => {
        const link = await (await ensureHost(caller)).signInLink();
        if (!json) say(caller, 'Works once, within 15 minutes.');
        printed(caller, json, link, link.url);
      }),
    );
};
