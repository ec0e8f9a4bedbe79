/** At the terminal of a process: every key goes there, every byte comes here. */
import type { ProcessView } from '../../contract/process.js';
import { say, type Caller } from '../caller.js';
import { DONE } from '../command.js';
import { endingSentence, statusOf } from '../process/ending.js';
import { Line } from '../host/line.js';
import { followBytes } from './reading.js';
import { Keys } from '../process/sending.js';
import { onSignal } from '../signals.js';
import { withoutQuestions } from '../print/terminal-codes.js';
import { RawTerminal } from './terminal.js';
import { waitForEnd } from '../process/wait.js';

const DETACH = '\u001d';
const TAIL_BYTES = 4_096;
/** How far back is looked for what a program made of its terminal, such as a second screen. */
const HISTORY_BYTES = 262_144;

export async function attachTerminal(caller: Caller, { id }: ProcessView): Promise<number> {
  const last = await sitAt(caller, id);
  say(caller, last ? endingSentence(last) : `Let go of ${id}, which goes on. Back to it: rouse attach ${id}`);
  return last?.end ? statusOf(last.end) : DONE;
}

/** The process when it has ended; nothing when the person let go of it. */
async function sitAt(caller: Caller, id: string): Promise<ProcessView | undefined> {
  const detached = new AbortController();
  const { signal } = detached;
  using terminal = new RawTerminal(caller);
  using _ = onSignal(['SIGTERM', 'SIGHUP', 'SIGINT'], () => detached.abort());
  const line = new Line(caller, signal, (sentence) => terminal.say(sentence));
  terminal.say(`Attached to ${id}. Ctrl-] lets go of it, and it goes on.`);
  sendKeys(terminal, new Keys(line, id), () => detached.abort());
  keepSize(caller, line, id);
  try {
    await showFromTail(terminal, line, id, signal);
    return (await waitForEnd(line, id)).process;
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  }
}

function sendKeys(terminal: RawTerminal, keys: Keys, detach: () => void): void {
  terminal.onKeys((text) => {
    const [before = '', ...rest] = text.split(DETACH);
    if (before !== '') keys.type(before);
    if (rest.length > 0) detach();
  });
}

async function showFromTail(terminal: RawTerminal, line: Line, id: string, signal: AbortSignal): Promise<void> {
  const { size } = await line.persist((client) => client.bytes(id, Number.MAX_SAFE_INTEGER, 1));
  const past = await line.persist((client) => client.bytes(id, Math.max(0, size - HISTORY_BYTES), HISTORY_BYTES));
  const text = Buffer.from(past.bytes).toString('latin1');
  const tail = tailOf(text);
  await terminal.become(Buffer.from(text.slice(0, text.length - tail.length), 'latin1'));
  // An answer to a question of long ago would reach the process as keys.
  await terminal.put(Buffer.from(withoutQuestions(tail), 'latin1'));
  for await (const { content, released } of followBytes(line, { id, offset: past.to, signal })) {
    if (released > 0) terminal.say(`… ${released} bytes released …`);
    await terminal.put(Buffer.from(content as Uint8Array));
  }
}

/** From the beginning of a line, so that neither a character nor a terminal code is cut. */
function tailOf(text: string): string {
  if (text.length <= TAIL_BYTES) return text;
  const tail = text.slice(-TAIL_BYTES);
  return tail.slice(tail.indexOf('\n') + 1);
}

/** The first size is sent twice, the first time a column short: a change is what makes a program draw itself anew. */
function keepSize({ stdout }: Caller, line: Line, id: string): void {
  let last: Promise<unknown> = Promise.resolve();
  const resize = (rows: number, cols: number) => {
    if (!(rows > 0 && cols > 0)) return;
    last = last
      .then(() => line.persist((client) => client.resize(id, rows, cols)))
      // A process that has just ended has no size; whatever else is wrong shows in its output, too.
      .catch(() => undefined);
  };
  resize(stdout.rows, stdout.columns - 1);
  resize(stdout.rows, stdout.columns);
  stdout.on('resize', () => resize(stdout.rows, stdout.columns));
}
