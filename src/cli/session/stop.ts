/** Ending the turn of a session, beginning it again, and lifting its pause. */
import type { RouseClient } from '../../client/client.js';
import type { SessionAnswer, SessionView, StopAnswer } from '../../contract/session.js';
import { say, type Caller } from '../caller.js';
import { print, SESSION_ID, type AddCommand } from '../command.js';
import { hostOf, onAnyHost } from '../host/background.js';

export const addStop: AddCommand = (program, caller, ends) => {
  const add = (
    name: string,
    description: string,
    act: (session: string) => Promise<SessionAnswer | StopAnswer>,
    inWords: (outcome: string | undefined) => string,
  ) =>
    program
      .command(name)
      .description(description)
      .argument('<session>', SESSION_ID)
      .option('--json', 'print the response as JSON')
      .action(
        ends(async (session: string, { json }: { json?: boolean }) => {
          const done = await act(session);
          print(caller, json, done, inWords(done.outcome));
          if (name !== 'resume') sayWhatRuns(caller, done.session);
        }),
      );
  const once = async (act: (client: RouseClient) => Promise<SessionAnswer | StopAnswer>) => act(await hostOf(caller));
  add(
    'stop',
    'end the running turn of a session; its processes keep running',
    (session) => once((client) => client.stop(session)),
    (outcome) => (outcome === 'stopped' ? 'stopped' : 'no turn is running'),
  );
  add(
    'reset',
    'start a session over: end its turn and drop its pending notices; its processes keep running',
    (session) => once((client) => client.reset(session)),
    () => 'reset',
  );
  add(
    'resume',
    'end the pause of a session and continue what a failed turn left unfinished',
    (session) => onAnyHost(caller, (client) => client.resumeWakes(session)),
    (outcome) => (outcome === 'resumed' ? 'resumed' : 'nothing to resume'),
  );
};

export function sayWhatRuns(caller: Caller, { id, running }: SessionView): void {
  if (running > 0) say(caller, `To see its running processes: rouse ps --session ${id}`);
}
