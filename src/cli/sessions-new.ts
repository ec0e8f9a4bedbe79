import type { Command } from 'commander';
import { ensureHost } from './background.js';
import { answer, answerJson, type Caller } from './caller.js';
import { DONE, type AddCommand } from './command.js';
import {
  refuseLoneSecret,
  settingsOf,
  tellSecret,
  withSessionOptions,
  type SessionOptions,
} from './session-options.js';

type Options = SessionOptions & { json?: boolean };

export const addNewSession: AddCommand = (sessions, caller, ends) => {
  withSessionOptions(sessions.command('new'))
    .description('make a session; prints its id')
    .argument('[title]', 'what to call it')
    .option('--json', 'print the answer of the host')
    .action(
      ends((title: string | undefined, options: Options, command: Command) => {
        refuseLoneSecret(options, command);
        return make(caller, title, options);
      }),
    );
};

async function make(caller: Caller, title: string | undefined, options: Options): Promise<number> {
  const client = await ensureHost(caller);
  const made = await client.createSession({ ...(title !== undefined && { title }), ...settingsOf(options) });
  if (options.json) answerJson(caller, made);
  else {
    answer(caller, made.session.id);
    tellSecret(caller, made, options);
  }
  return DONE;
}
