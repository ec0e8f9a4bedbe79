import { InvalidArgumentError } from 'commander';
import { type KillAnswer, Signal } from '../../contract/process.js';
import { answer, answerJson, say, type Caller } from '../caller.js';
import { DONE, FAILED, FOR_SESSION, ID, type AddCommand } from '../command.js';
import { endingSentence } from './ending.js';
import { explain } from '../failure.js';
import { hostOf } from '../host/background.js';
import { oneLine } from '../print/printable.js';

/** No more connections than a host can be expected to hold for one caller. */
const MOST_AT_ONCE = 250;

type Options = { signal?: Signal; session?: string; json?: boolean };

export const addKill: AddCommand = (program, caller, ends) => {
  program
    .command('kill')
    .description('end processes and everything they started, SIGTERM first; or send another signal')
    .argument('<id...>', ID)
    .option('--signal <name>', 'TERM, INT, HUP, QUIT, KILL; or USR1, USR2, STOP, CONT, WINCH, ALRM', parseSignal)
    .option('--session <id>', FOR_SESSION)
    .option('--json', 'print the responses as JSON')
    .action(ends((ids: string[], options: Options) => kill(caller, ids, options)));
};

/** All at once: one that takes its whole grace period does not delay the others. */
async function kill(caller: Caller, ids: readonly string[], options: Options): Promise<number> {
  const client = await hostOf(caller);
  const { signal, session, json } = options;
  const outcomes: PromiseSettledResult<KillAnswer>[] = [];
  for (let at = 0; at < ids.length; at += MOST_AT_ONCE) {
    const some = ids.slice(at, at + MOST_AT_ONCE);
    outcomes.push(...(await Promise.allSettled(some.map((id) => client.kill(id, signal, { session })))));
  }
  const answers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  if (json) answerJson(caller, { answers });
  else for (const killed of answers) answer(caller, inWords(killed, signal));
  for (const outcome of outcomes) if (outcome.status === 'rejected') say(caller, explain(outcome.reason, caller));
  const failed = answers.length < ids.length || answers.some(({ survivors }) => survivors.length > 0);
  return failed ? FAILED : DONE;
}

function inWords({ process, outcome, survivors }: KillAnswer, signal: Signal = 'SIGTERM'): string {
  const named = survivors.map(({ pid, command, why }) => `\n  survivor ${pid} (${oneLine(command)}): ${why}`).join('');
  switch (outcome) {
    case 'ended':
      return `${endingSentence(process)}${named}`;
    case 'already-ended':
      return `Already ended: ${endingSentence(process)}`;
    case 'signalled':
      return `${process.id} was sent ${signal} and is still running.${named}`;
  }
}

function parseSignal(text: string): Signal {
  const signal = Signal.safeParse(text);
  if (!signal.success) throw new InvalidArgumentError('Rouse does not support that signal.');
  return signal.data;
}
