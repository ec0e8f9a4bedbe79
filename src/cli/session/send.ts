import { randomUUID } from 'node:crypto';
import { Option } from 'commander';
import { text as whole } from 'node:stream/consumers';
import { Mode } from '../../contract/journal.js';
import type { MessageAnswer } from '../../contract/message.js';
import { ensureHost, hostOf, onAnyHost } from '../host/background.js';
import { answer, answerJson, say, type Caller } from '../caller.js';
import { DONE, SESSION_ID, type AddCommand } from '../command.js';
import { waitForAnswer } from './send-wait.js';

type Options = { mode?: Mode; key?: string; wait?: boolean; json?: boolean };

export const addSend: AddCommand = (program, caller, ends) => {
  program
    .command('send')
    .description('say something to the agent of a session; tells what became of it')
    .argument('<session>', SESSION_ID)
    .argument('<text>', 'the text; "-" reads it from standard input')
    .addOption(
      new Option('--mode <mode>', 'while a turn runs: wait behind it, be told at its next step, or end it').choices(
        Mode.options,
      ),
    )
    .option('--key <key>', 'the same key again for the same session is the same message, taken once')
    .option('--wait', "wait for the end of the turn that answers it, and print the agent's words")
    .option('--json', 'print the answer of the host')
    .action(ends((session: string, text: string, options: Options) => send(caller, session, text, options)));
};

async function send(caller: Caller, session: string, given: string, options: Options): Promise<number> {
  const text = given === '-' ? await whole(caller.stdin) : given;
  const sent = await sendOnce(caller, session, text, options);
  if (options.json) answerJson(caller, sent);
  if (options.wait) return waitOn(caller, session, sent);
  if (!options.json) {
    answer(caller, sent.disposition);
    for (const sentence of sent.notes ?? [WHAT[sent.disposition](session)]) say(caller, sentence);
  }
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

/** A host that is stopping serves the message no more: the next one has to be there to be waited for. */
async function waitOn(caller: Caller, typed: string, sent: MessageAnswer): Promise<number> {
  const client = await (sent.notes ? ensureHost(caller) : hostOf(caller));
  const { session } = await client.session(typed, { entries: 0 });
  return waitForAnswer(caller, client, session.id, sent);
}

/** What became of it, and the next step. */
const WHAT = {
  started: (session) => `The agent is at it. See what it does: rouse show -f ${session}`,
  queued: () => 'A turn runs: it waits behind it. To be told at its next step: --mode steer',
  steered: () => 'The running turn is told at its next step.',
  interrupted: () => 'The running turn is ended for it.',
  duplicate: () => 'The key was used before: that message was taken then, and nothing was sent now.',
} satisfies Record<MessageAnswer['disposition'], (session: string) => string>;
