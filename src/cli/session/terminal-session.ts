/** The session of the person at the command line: whoever wants to be told and names no session has this one. */
import type { RouseClient } from '../../client/client.js';
import { say, type Caller } from '../caller.js';

/** Nobody answers in it: its notices wait for the person to look. */
const TERMINAL = { title: 'Terminal', key: 'terminal', agent: 'none' } as const;

/** Made when it is first asked for. One that was closed is opened again, since somebody now wants to be told. */
export async function terminalSession(client: RouseClient, caller: Caller): Promise<string> {
  const { session } = await client.createSession(TERMINAL);
  if (session.closedAt === undefined) return session.id;
  await client.changeSession(session.id, { closed: false });
  say(caller, `Session "${TERMINAL.title}" (${session.id}) was closed, and is open again.`);
  return session.id;
}
