import { StringDecoder } from 'node:string_decoder';
import { hostOf } from '../host/background.js';
import type { Caller } from '../caller.js';
import { DONE, ID, type AddCommand } from '../command.js';
import { Line } from '../host/line.js';
import { send } from './sending.js';

export const addWrite: AddCommand = (program, caller, ends) => {
  program
    .command('write')
    .description('send text to the input of a process')
    .argument('<id>', ID)
    .argument('<text>', 'the text, and a newline; "-" sends what comes on standard input, as it is')
    .option('-n', 'without the newline')
    .action(ends((id: string, text: string, options: { n?: boolean }) => write(caller, id, text, options.n ?? false)));
};

async function write(caller: Caller, typed: string, text: string, bare: boolean): Promise<number> {
  await hostOf(caller);
  const line = new Line(caller);
  const { id } = (await line.client.process(typed)).process;
  if (text === '-') await sendAll(caller, line, id);
  else await send(line, id, bare ? text : `${text}\n`);
  return DONE;
}

/** Piece by piece as it comes, no character cut. */
export async function sendAll({ stdin }: Pick<Caller, 'stdin'>, line: Line, id: string): Promise<void> {
  const decoder = new StringDecoder('utf8');
  for await (const chunk of stdin) await send(line, id, decoder.write(chunk as Buffer));
  await send(line, id, decoder.end());
}
