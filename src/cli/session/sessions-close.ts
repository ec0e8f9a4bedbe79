import { hostOf } from '../host/background.js';
import { say, type Caller } from '../caller.js';
import { DONE, SESSION_ID, type AddCommand } from '../command.js';
import { oneLine } from '../print/printable.js';

export const addCloseSession: AddCommand = (sessions, caller, ends) => {
  sessions
    .command('close')
    .description('close a session: what it is owed is told no more; its processes go on')
    .argument('<id>', SESSION_ID)
    .action(ends((id: string) => close(caller, id)));
};

async function close(caller: Caller, typed: string): Promise<number> {
  const { session } = await (await hostOf(caller)).changeSession(typed, { closed: true });
  say(caller, `Session "${oneLine(session.title)}" (${session.id}) is closed and is told nothing any more.`);
  if (session.running > 0) say(caller, `What still runs for it: rouse ps --session ${session.id}`);
  return DONE;
}
