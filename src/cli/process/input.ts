/** Input on its way to a process: in order, and never twice. */
import { StringDecoder } from 'node:string_decoder';
import { isCut, RouseProblem, type RouseClient } from '../../client/client.js';
import { say, type Caller } from '../caller.js';
import { ID, type AddCommand } from '../command.js';
import { hostOf } from '../host/background.js';
import { neverArrived } from '../host/find-host.js';

/** The host takes at most 1 MiB at a time. */
const MOST_CHARACTERS = 262_144;
const LOST = 'The connection to the host broke while input was sent: the last part of it may be missing.';

export const addWrite: AddCommand = (program, caller, ends) => {
  program
    .command('write')
    .description('send text to the input of a process')
    .argument('<id>', ID)
    .argument('<text>', 'the text, sent with a newline; "-" sends standard input unchanged')
    .option('-n', 'without the newline')
    .action(ends((id: string, text: string, options: { n?: boolean }) => write(caller, id, text, options.n ?? false)));
};

export const addClose: AddCommand = (program, caller, ends) => {
  program
    .command('close')
    .description('close the input of a process, like Ctrl-D')
    .argument('<id>', ID)
    .action(
      ends(async (id: string) => {
        await (await hostOf(caller)).closeInput(id);
      }),
    );
};

async function write(caller: Caller, typed: string, text: string, bare: boolean): Promise<void> {
  const client = await hostOf(caller);
  const { id } = (await client.process(typed)).process;
  if (text === '-') await sendAll(caller, { client, id });
  else await new Input({ client, id, tell: (sentence) => say(caller, sentence) }).send(bare ? text : `${text}\n`);
}

/** Standard input piece by piece as it comes, no character cut. */
export async function sendAll(caller: Caller, to: Omit<Recipient, 'tell'>): Promise<void> {
  const input = new Input({ ...to, tell: (sentence) => say(caller, sentence) });
  const decoder = new StringDecoder('utf8');
  for await (const chunk of caller.stdin) await input.send(decoder.write(chunk as Buffer));
  await input.send(decoder.end());
}

type Recipient = {
  readonly client: RouseClient;
  readonly id: string;
  readonly signal?: AbortSignal;
  readonly tell: (sentence: string) => void;
};

export class Input {
  #waiting = '';
  #sending: Promise<void> | undefined;

  constructor(readonly to: Recipient) {}

  /** When the host goes away in the middle it is unknown what arrived: that is reported, and nothing is sent again. */
  async send(text: string): Promise<void> {
    const { client, id, signal, tell } = this.to;
    for (let at = 0; at < text.length; at += MOST_CHARACTERS) {
      const part = text.slice(at, at + MOST_CHARACTERS);
      await client
        .persist(() => client.write(id, part), { signal, mayRepeat: neverArrived })
        .catch((error: unknown) => {
          if (!isCut(error) || neverArrived(error) || signal?.aborted) throw error;
          tell(LOST);
        });
    }
  }

  /** Sends what is typed one request after the other; what is typed meanwhile goes along with the next. */
  type(text: string): void {
    this.#waiting += text;
    this.#sending ??= this.#sendTyped().finally(() => (this.#sending = undefined));
  }

  async #sendTyped(): Promise<void> {
    while (this.#waiting !== '') {
      const text = this.#waiting;
      this.#waiting = '';
      await this.send(text).catch((error: unknown) => this.#report(error));
    }
  }

  #report(error: unknown): void {
    if (this.to.signal?.aborted || isCut(error)) return;
    // Keys for a process that has just ended do not matter: its end is about to be shown.
    if (error instanceof RouseProblem && error.word === 'already-ended') return;
    this.to.tell(error instanceof Error ? error.message : String(error));
  }
}
