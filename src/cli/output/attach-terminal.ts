/** At the terminal of a process: every key goes there, every byte comes here. */
import type { RouseClient } from '../../client/client.js';
import type { ProcessView } from '../../contract/process.js';
import { say, type Caller } from '../caller.js';
import { DONE } from '../command.js';
import { clientOf } from '../host/find-host.js';
import { endingSentence, statusOf } from '../process/ending.js';
import { Input } from '../process/input.js';
import { waitFor } from '../process/wait.js';
import { onSignal } from '../signals.js';
import { releasedSentence } from './logs.js';
import { RawTerminal, withoutQuestions } from './raw-terminal.js';

const DETACH = '\u001d';
const TAIL_BYTES = 4_096;
/** How far back to look for what a program made of its terminal, such as a second screen. */
const HISTORY_BYTES = 262_144;

export async function attachTerminal(caller: Caller, { id }: ProcessView): Promise<number> {
  const last = await sitAt(caller, id);
  say(caller, last ? endingSentence(last) : `Detached; ${id} keeps running. Attach again: rouse attach ${id}`);
  return last ? statusOf(last.end) : DONE;
}

/** The process when it has ended; undefined when the person detached. */
async function sitAt(caller: Caller, id: string): Promise<ProcessView | undefined> {
  const detached = new AbortController();
  const { signal } = detached;
  using terminal = new RawTerminal(caller);
  using _ = onSignal(['SIGTERM', 'SIGHUP', 'SIGINT'], () => detached.abort());
  const tell = (sentence: string) => terminal.say(sentence);
  const client = clientOf(caller, tell);
  terminal.say(`Attached to ${id}. Ctrl-] detaches, and it keeps running.`);
  sendKeys(terminal, new Input({ client, id, signal, tell }), () => detached.abort());
  keepSize(caller, client, id, signal);
  try {
    await showFromTail(terminal, client, id, signal);
    return (await waitFor(client, id, { signal })).process;
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  }
}

function sendKeys(terminal: RawTerminal, input: Input, detach: () => void): void {
  terminal.onKeys((text) => {
    const [before = '', ...rest] = text.split(DETACH);
    if (before !== '') input.type(before);
    if (rest.length > 0) detach();
  });
}

async function showFromTail(
  terminal: RawTerminal,
  client: RouseClient,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { size } = await client.persist(() => client.bytes(id, Number.MAX_SAFE_INTEGER, 1), { signal });
  const start = Math.max(0, size - HISTORY_BYTES);
  const past = await client.persist(() => client.bytes(id, start, HISTORY_BYTES), { signal });
  const text = Buffer.from(past.bytes).toString('latin1');
  const tail = tailOf(text);
  await terminal.become(Buffer.from(text.slice(0, text.length - tail.length), 'latin1'));
  // An answer to a question of long ago would reach the process as keys.
  await terminal.put(Buffer.from(withoutQuestions(tail), 'latin1'));
  for await (const piece of client.followBytes(id, { offset: past.to, signal })) {
    if (piece.kind === 'cut') continue;
    if (piece.released > 0) terminal.say(releasedSentence(piece));
    await terminal.put(Buffer.from(piece.bytes));
  }
}

/** From the beginning of a line, so that neither a character nor a terminal code is cut. */
function tailOf(text: string): string {
  if (text.length <= TAIL_BYTES) return text;
  const tail = text.slice(-TAIL_BYTES);
  return tail.slice(tail.indexOf('\n') + 1);
}

/** The first size is sent twice, the first time a column short: a change is what makes a program redraw itself. */
function keepSize({ stdout }: Caller, client: RouseClient, id: string, signal: AbortSignal): void {
  let last: Promise<unknown> = Promise.resolve();
  const resize = (rows: number, cols: number) => {
    if (!(rows > 0 && cols > 0)) return;
    last = last
      .then(() => client.persist(() => client.resize(id, rows, cols), { signal }))
      // A process that has just ended has no size; anything else that is wrong shows in its output, too.
      .catch(() => undefined);
  };
  resize(stdout.rows, stdout.columns - 1);
  resize(stdout.rows, stdout.columns);
  stdout.on('resize', () => resize(stdout.rows, stdout.columns));
}
