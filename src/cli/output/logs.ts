import { Option } from 'commander';
import type { Bytes, OutputEvent, RouseClient } from '../../client/client.js';
import type { OutputPage } from '../../contract/output.js';
import { put, say, type Caller } from '../caller.js';
import { FOR_SESSION, ID, type AddCommand } from '../command.js';
import { hostOf } from '../host/background.js';
import { wholeNumber } from '../print/parse.js';
import { ColouredText } from '../print/printable.js';
import { endingSentence } from '../process/ending.js';
import { interruptible } from '../signals.js';

type Options = { follow?: boolean; tail?: number; session?: string; raw?: boolean; plain?: boolean };

/** All of it was followed up to the end: the last line is enough for the host to know. */
const LAST_LINE = { line: -1, lines: 1 };
const FIRST_BYTE = { offset: 0, limit: 1 };

export const addLogs: AddCommand = (program, caller, ends) => {
  program
    .command('logs')
    .description('show the output of a process, with its secrets redacted')
    .argument('<id>', ID)
    .option('-f, --follow', 'keep showing new output until the process ends')
    .option('--tail <n>', 'begin with the last n lines', wholeNumber(0, 100_000))
    .option('--raw', 'the bytes exactly as they were written, secrets and terminal codes included')
    .option('--plain', 'without any terminal codes')
    .addOption(new Option('--session <id>', FOR_SESSION).conflicts('raw'))
    .action(ends((id: string, options: Options) => interruptible((signal) => logs(caller, id, options, signal))));
};

async function logs(caller: Caller, typed: string, options: Options, signal: AbortSignal): Promise<void> {
  const client = await hostOf(caller);
  const { id } = (await client.process(typed)).process;
  const { follow, raw, plain = false, session } = options;
  const offset = options.tail === undefined ? 0 : await offsetOfTail(client, id, options.tail);
  // Asked before it is followed for hours: another session's process is refused at once.
  if (follow && session !== undefined) await client.log(id, session, FIRST_BYTE);
  if (raw) await showOutput(caller, follow ? client.followBytes(id, { offset, signal }) : client.bytesNow(id, offset));
  else if (follow) await showOutput(caller, client.follow(id, { offset, plain, signal }));
  else await showOutput(caller, client.outputNow(id, { offset, plain, session }));
  if (!follow || signal.aborted) return;
  if (session !== undefined) await client.persist(() => client.log(id, session, LAST_LINE), { signal });
  if (caller.stdout.isTTY)
    say(caller, endingSentence((await client.persist(() => client.process(id), { signal })).process));
}

/** Where the last n lines begin; none at all begin at the end. */
export async function offsetOfTail(client: RouseClient, id: string, lines: number): Promise<number> {
  if (lines === 0) return (await client.bytes(id, Number.MAX_SAFE_INTEGER, 1)).size;
  return (await client.output(id, { line: -lines, lines })).from;
}

/** Text may colour a terminal and do nothing else to it; bytes, and what goes into a file or a pipe, are not changed. */
export async function showOutput(
  caller: Caller,
  pieces: AsyncIterable<OutputPage | Bytes | OutputEvent>,
): Promise<void> {
  const { stdout } = caller;
  const filter = stdout.isTTY ? new ColouredText() : undefined;
  for await (const piece of pieces) {
    if ('kind' in piece && piece.kind === 'refused') throw new Error(piece.why);
    const page = 'page' in piece ? piece.page : piece;
    if (!('released' in page)) continue;
    if (page.released > 0) say(caller, releasedSentence(page));
    await put(stdout, 'bytes' in page ? page.bytes : (filter?.pass(page.text) ?? page.text));
  }
  if (filter) await put(stdout, filter.finish());
}

export const releasedSentence = ({ released }: Pick<OutputPage, 'released'>): string =>
  `… ${released} bytes deleted: the output exceeded its quota …`;
