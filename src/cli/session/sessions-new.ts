import { Option, type Command } from 'commander';
import { AgentName } from '../../contract/session.js';
import { ensureHost } from '../host/background.js';
import { answer, answerJson, type Caller } from '../caller.js';
import { DONE, type AddCommand } from '../command.js';
import {
  refuseLoneSecret,
  settingsOf,
  tellSecret,
  withSessionOptions,
  type SessionOptions,
} from './session-options.js';

type Options = SessionOptions & { agent?: AgentName; json?: boolean };

export const addNewSession: AddCommand = (sessions, caller, ends) => {
  withSessionOptions(sessions.command('new'))
    .description('make a session; prints its id')
    .argument('[title]', 'what to call it')
    .addOption(new Option('--agent <agent>', 'who answers in it').choices(AgentName.options))
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
  const { agent } = options;
  const wanted = { ...(title !== undefined && { title }), ...(agent && { agent }), ...settingsOf(options) };
  const made = await client.createSession(wanted);
  if (options.json) answerJson(caller, made);
  else {
    answer(caller, made.session.id);
    tellSecret(caller, made, options);
  }
  return DONE;
}
