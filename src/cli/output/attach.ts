/** `rouse attach`: at the terminal of a process, or at the input and output of one without: lines go in, text comes out. */
import type { RouseClient } from '../../client/client.js';
import { say, type Caller } from '../caller.js';
import { FAILED, ID, type AddCommand } from '../command.js';
import { explain } from '../failure.js';
import { hostOf } from '../host/background.js';
import { endingSentence, statusOf } from '../process/ending.js';
import { sendAll } from '../process/input.js';
import { waitFor } from '../process/wait.js';
import { interruptible } from '../signals.js';
import { attachTerminal } from './attach-terminal.js';
import { offsetOfTail, showOutput } from './logs.js';

const TAIL_LINES = 10;

export const addAttach: AddCommand = (program, caller, ends) => {
  program
    .command('attach')
    .description('connect to the terminal of a process, or to its input and output; Ctrl-] detaches from a terminal')
    .argument('<id>', ID)
    .action(ends((id: string) => attach(caller, id)));
};

async function attach(caller: Caller, typed: string): Promise<number> {
  const client = await hostOf(caller);
  const { process } = await client.process(typed);
  if (process.end) {
    say(caller, `${endingSentence(process)} Its output: rouse logs ${process.id}`);
    return FAILED;
  }
  if (!process.pty) return attachPipe(caller, client, process.id);
  if (caller.stdin.isTTY) return attachTerminal(caller, process);
  say(
    caller,
    `${process.id} has a terminal, but standard input is not one. Use rouse write and rouse logs -f instead.`,
  );
  return FAILED;
}

async function attachPipe(caller: Caller, client: RouseClient, id: string): Promise<number> {
  const { stdin } = caller;
  if (stdin.isTTY) say(caller, `Attached to ${id}. Ctrl-D closes its input; Ctrl-C detaches, and it keeps running.`);
  const work = async (signal: AbortSignal): Promise<number> => {
    void feed(caller, client, id, signal);
    const offset = await offsetOfTail(client, id, TAIL_LINES);
    await showOutput(caller, client.follow(id, { offset, signal }));
    const { process } = await waitFor(client, id, { signal });
    if (stdin.isTTY) say(caller, endingSentence(process));
    return statusOf(process.end);
  };
  const detached = () => say(caller, `\nDetached; ${id} keeps running. End it: rouse kill ${id}`);
  return interruptible(work, detached).finally(() => stdin.destroy());
}

async function feed(caller: Caller, client: RouseClient, id: string, signal: AbortSignal): Promise<void> {
  try {
    await sendAll(caller, { client, id, signal });
    await client.persist(() => client.closeInput(id), { signal });
  } catch (error) {
    // When we are leaving, our own input is closed under it.
    if (!caller.stdin.destroyed) say(caller, explain(error, caller));
  }
}
