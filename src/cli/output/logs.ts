import { InvalidArgumentError, Option } from 'commander';
import { hostOf } from '../host/background.js';
import { say, type Caller } from '../caller.js';
import { DONE, FOR_SESSION, ID, type AddCommand } from '../command.js';
import { endingSentence } from '../process/ending.js';
import { Line } from '../host/line.js';
import { bytesNow, followBytes, followText, textNow, type Reading } from './reading.js';
import { show } from './showing.js';
import { INTERRUPTED, onSignal } from '../signals.js';

type Options = { follow?: boolean; tail?: number; session?: string; raw?: boolean; plain?: boolean };

/** All of it was followed up to the end: the last line is enough for the host to know. */
const LAST_LINE = { line: -1, lines: 1 };
const FIRST_BYTE = { offset: 0, limit: 1 };
const MOST_LINES = 100_000;

export const addLogs: AddCommand = (program, caller, ends) => {
  program
    .command('logs')
    .description('show the output of a process, with its secrets redacted')
    .argument('<id>', ID)
    .option('-f, --follow', 'go on showing what comes, up to the end of the process')
    .option('--tail <n>', 'begin with the last n lines', parseLines)
    .option('--raw', 'the bytes exactly as they were written, secrets and terminal codes included')
    .option('--plain', 'without any terminal codes')
    .addOption(new Option('--session <id>', FOR_SESSION).conflicts('raw'))
    .action(ends((id: string, options: Options) => logs(caller, id, options)));
};

async function logs(caller: Caller, typed: string, options: Options): Promise<number> {
  const interrupted = new AbortController();
  using _ = onSignal(['SIGINT'], () => interrupted.abort());
  const { signal } = interrupted;
  await hostOf(caller);
  const line = new Line(caller, signal);
  const { id } = (await line.client.process(typed)).process;
  const offset = options.tail === undefined ? 0 : await offsetOfTail(line, id, options.tail);
  const { plain = false, session } = options;
  // Asked before it is followed for hours: another session's process is refused at once.
  if (options.follow && session !== undefined) await line.client.log(id, session, FIRST_BYTE);
  await show(caller, read(line, { id, offset, plain, session, signal }, options));
  if (signal.aborted) return INTERRUPTED;
  if (options.follow && session !== undefined) await line.persist((client) => client.log(id, session, LAST_LINE));
  if (options.follow && caller.stdout.isTTY) {
    const { process } = await line.persist((client) => client.process(id));
    say(caller, endingSentence(process));
  }
  return DONE;
}

function read(line: Line, reading: Reading, { follow, raw }: Options) {
  if (raw) return follow ? followBytes(line, reading) : bytesNow(line, reading);
  return follow ? followText(line, reading) : textNow(line, reading);
}

/** Where the last n lines begin; none at all begin at the end. */
export async function offsetOfTail(line: Line, id: string, lines: number): Promise<number> {
  if (lines === 0) return (await line.client.bytes(id, Number.MAX_SAFE_INTEGER, 1)).size;
  return (await line.client.output(id, { line: -lines, lines })).from;
}

function parseLines(text: string): number {
  const lines = Number(text);
  if (!/^\d+$/.test(text) || lines > MOST_LINES)
    throw new InvalidArgumentError(`Give a number of lines from 0 to ${MOST_LINES}.`);
  return lines;
}
