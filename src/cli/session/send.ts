import { randomUUID } from 'node:crypto';
import { Option } from 'commander';
import { text as whole } from 'node:stream/consumers';
import { Mode } from '../../contract/journal.js';
import type { MessageAnswer } from '../../contract/message.js';
import { ensureHost, hostOf, onAnyHost } from '../host/background.js';
import { say, type Caller } from '../caller.js';
import { DONE, print, SESSION_ID, type AddCommand } from '../command.js';
import { waitForAnswer } from './send-wait.js';

type Options = { mode?: Mode; key?: string; wait?: boolean; json?: boolean };

export const addSend: AddCommand = (program, caller, ends) => {
  program
    .command('send')
    .description('send a message to the agent of a session; prints what became of it')
    .argument('<session>', SESSION_ID)
    .argument('<text>', 'the text; "-" reads it from standard input')
    .addOption(
      new Option('--mode <mode>', 'while a turn runs: queue behind it, steer its next step, or interrupt it').choices(
        Mode.options,
      ),
    )
    .option('--key <key>', 'idempotency key: a second message with the same key is not sent to the session')
    .option('--wait', "wait for the end of the turn that answers it, and print the agent's text")
    .option('--json', 'print the response as JSON')
    .action(ends((session: string, text: string, options: Options) => send(caller, session, text, options)));
};

async function send(caller: Caller, session: string, given: string, options: Options): Promise<number> {
  const text = given === '-' ? await whole(caller.stdin) : given;
  const sent = await sendOnce(caller, session, text, options);
  const { json, wait } = options;
  if (json || !wait) print(caller, json, sent, sent.disposition);
  if (wait) return waitOn(caller, session, sent);
  if (!json) for (const sentence of sent.notes ?? [WHAT[sent.disposition](session)]) say(caller, sentence);
  return DONE;
}

/** The key makes the message one, however many hosts it is sent to. */
function sendOnce(caller: Caller, session: string, text: string, { mode, key }: Options): Promise<MessageAnswer> {
  const named = { ...(mode && { mode }), key: key ?? `rouse send ${randomUUID()}` };
  return onAnyHost(caller, async (client, again) => {
    const sent = await client.send(session, text, named);
    const ownTwice = again && key === undefined && sent.disposition === 'duplicate';
    return ownTwice ? { ...sent, disposition: sent.message.state === 'waiting' ? 'queued' : 'started' } : sent;
  });
}

/** A host that is stopping does not serve the message: wait for it on the next one. */
async function waitOn(caller: Caller, typed: string, sent: MessageAnswer): Promise<number> {
  const client = await (sent.notes ? ensureHost(caller) : hostOf(caller));
  const { session } = await client.session(typed, { entries: 0 });
  return waitForAnswer(caller, client, session.id, sent);
}

/** What became of it, and the next step. */
const WHAT = {
  started: (session) => `The agent has started. Follow it: rouse show -f ${session}`,
  queued: () => 'The message waits until the running turn ends. To reach the agent at its next step, use --mode steer.',
  steered: () => 'The running turn gets it at its next step.',
  interrupted: () => 'It interrupts the running turn.',
  duplicate: () => 'Nothing was sent: the session already has a message with this key.',
} satisfies Record<MessageAnswer['disposition'], (session: string) => string>;
