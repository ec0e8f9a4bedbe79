import type { SessionView } from '../../contract/session.js';
import { durationInWords } from '../../contract/display.js';
import { hostOf } from '../host/background.js';
import { answer, answerJson, say, type Caller } from '../caller.js';
import { screenOf } from '../print/colours.js';
import { DONE, type AddCommand } from '../command.js';
import { oneLine } from '../print/printable.js';
import { addCloseSession } from './sessions-close.js';
import { addNewSession } from './sessions-new.js';
import { addSetSession } from './sessions-set.js';
import { shortened } from '../print/short-id.js';
import { table, type Column } from '../print/table.js';

export const addSessions: AddCommand = (program, caller, ends) => {
  const sessions = program
    .command('sessions')
    .description('list sessions, the one that changed last first; or make, change and close them')
    .option('--json', 'print them as JSON')
    .action(ends((options: { json?: boolean }) => list(caller, options.json ?? false)));
  for (const add of [addNewSession, addSetSession, addCloseSession]) add(sessions, caller, ends);
};

async function list(caller: Caller, json: boolean): Promise<number> {
  const sessions = await (await hostOf(caller)).sessions();
  if (json) answerJson(caller, { sessions });
  else if (sessions.length > 0) answer(caller, drawn(caller, sessions));
  else say(caller, 'There are no sessions. Make one: rouse sessions new TITLE');
  return DONE;
}

function drawn(caller: Caller, sessions: readonly SessionView[]): string {
  const now = Date.now();
  const short = shortened(sessions.map(({ id }) => id));
  const columns: readonly Column<SessionView>[] = [
    { title: 'ID', of: ({ id }) => short(id) },
    { title: 'STATE', of: stateOf, colour: colourOf },
    { title: 'WHY', of: ({ pausedWhy }) => oneLine(pausedWhy ?? ''), most: 40, least: 10, expendable: 3 },
    { title: 'OWED', of: ({ owed }) => String(owed) },
    { title: 'RUNNING', of: ({ running }) => String(running), expendable: 2 },
    { title: 'UPDATED', of: ({ updatedAt }) => `${durationInWords(now - Date.parse(updatedAt))} ago`, expendable: 1 },
    { title: 'TITLE', of: ({ title }) => oneLine(title), rest: true },
  ];
  return table(columns, sessions, screenOf(caller));
}

const stateOf = ({ state, closedAt }: SessionView): string => (closedAt === undefined ? state : 'closed');

function colourOf({ state, closedAt }: SessionView): 'green' | 'yellow' | 'dim' {
  if (closedAt !== undefined) return 'dim';
  return state === 'waiting' || state === 'paused' ? 'yellow' : 'green';
}
