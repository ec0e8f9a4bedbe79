import type { Command } from 'commander';
import type { SessionChanges } from '../../contract/session.js';
import { hostOf } from '../host/background.js';
import { answer, answerJson, type Caller } from '../caller.js';
import { DONE, SESSION_ID, type AddCommand } from '../command.js';
import {
  refuseLoneSecret,
  settingsOf,
  tellSecret,
  withSessionOptions,
  type SessionOptions,
} from './session-options.js';

type Options = SessionOptions & { title?: string; json?: boolean };

export const addSetSession: AddCommand = (sessions, caller, ends) => {
  withSessionOptions(sessions.command('set'))
    .description('change a session; prints its id')
    .argument('<id>', SESSION_ID)
    .option('--title <title>', 'what to call it')
    .option('--no-webhook', 'send its notices nowhere')
    .option('--no-model', "let it have the host's own model")
    .option('--json', 'print the answer of the host')
    .action(
      ends((id: string, options: Options, command: Command) => {
        refuseLoneSecret(options, command);
        const changes = changesOf(options);
        if (Object.keys(changes).length === 0)
          command.error('Nothing to change was given, such as --title or --people.');
        return set(caller, id, changes, options);
      }),
    );
};

const changesOf = (options: Options): SessionChanges => ({
  ...settingsOf(options),
  ...(options.title !== undefined && { title: options.title }),
  ...(options.webhook === false && { webhook: null }),
  ...(options.model === false && { model: null }),
});

async function set(caller: Caller, id: string, changes: SessionChanges, options: Options): Promise<number> {
  const changed = await (await hostOf(caller)).changeSession(id, changes);
  if (options.json) answerJson(caller, changed);
  else {
    answer(caller, changed.session.id);
    tellSecret(caller, changed, options);
  }
  return DONE;
}
