/** At the input and output of a process without a terminal: lines go in, text comes out. */
import { say, type Caller } from '../caller.js';
import { endingSentence, statusOf } from '../process/ending.js';
import { explain } from '../failure.js';
import { Line } from '../host/line.js';
import { offsetOfTail } from './logs.js';
import { followText } from './reading.js';
import { show } from './showing.js';
import { INTERRUPTED, onSignal } from '../signals.js';
import { waitForEnd } from '../process/wait.js';
import { sendAll } from '../process/write.js';

const TAIL_LINES = 10;

export async function attachPipe(caller: Caller, id: string): Promise<number> {
  const { stdin } = caller;
  const detached = new AbortController();
  using _ = onSignal(['SIGINT'], () => detached.abort());
  const line = new Line(caller, detached.signal);
  if (stdin.isTTY) say(caller, `Attached to ${id}. Ctrl-D ends its input; Ctrl-C lets go of it, and it goes on.`);
  void feed(caller, line, id);
  try {
    const offset = await offsetOfTail(line, id, TAIL_LINES);
    await show(caller, followText(line, { id, offset, signal: detached.signal }));
    const { process } = await waitForEnd(line, id);
    if (stdin.isTTY) say(caller, endingSentence(process));
    if (process.end) return statusOf(process.end);
  } catch (error) {
    if (!detached.signal.aborted) throw error;
  } finally {
    stdin.destroy();
  }
  say(caller, `\n${id} goes on. End it: rouse kill ${id}`);
  return INTERRUPTED;
}

async function feed(caller: Caller, line: Line, id: string): Promise<void> {
  try {
    await sendAll(caller, line, id);
    await line.persist((client) => client.closeInput(id));
  } catch (error) {
    // When we are leaving, our own input is closed under it.
    if (!caller.stdin.destroyed) say(caller, explain(error, caller));
  }
}
