import { InvalidArgumentError } from 'commander';
import { type KillAnswer, Signal } from '../../contract/process.js';
import { answer, answerJson, say, type Caller } from '../caller.js';
import { DONE, FAILED, FOR_SESSION, ID, type AddCommand } from '../command.js';
import { endingSentence } from './ending.js';
import { explain } from '../failure.js';
import { hostOf } from '../host/background.js';
import { oneLine } from '../print/printable.js';

const MOST_AT_ONCE = 250;

type Options = { signal?: Signal; session?: string; json?: boolean };

export const addKill: AddCommand = (program, caller, ends) => {
  program
    .command('kill')
    .description('end processes with all that they started, gently first; or send them another signal')
    .argument('<id...>', ID)
    .option('--signal <name>', 'TERM, INT, HUP, QUIT, KILL; or USR1, USR2, STOP, CONT, WINCH, ALRM', parseSignal)
    .option('--session <id>', FOR_SESSION)
    .option('--json', 'print the answers of the host')
    .action(ends((ids: string[], options: Options) => kill(caller, ids, options)));
};

/** All at once: one that takes its whole grace does not keep the others waiting. */
async function kill(caller: Caller, ids: readonly string[], options: Options): Promise<number> {
  const client = await hostOf(caller);
  const outcomes = await allSettled(ids, (id) => client.kill(id, options.signal, { session: options.session }));
  const answers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  if (options.json) answerJson(caller, { answers });
  else
    for (const { process, outcome, survivors } of answers) answer(caller, told(process, outcome, options, survivors));
  for (const outcome of outcomes) if (outcome.status === 'rejected') say(caller, explain(outcome.reason, caller));
  const failed = answers.length < ids.length || answers.some(({ survivors }) => survivors.length > 0);
  return failed ? FAILED : DONE;
}

/** At once, but no more connections than a host can be expected to hold for one caller. */
async function allSettled<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const outcomes: PromiseSettledResult<Result>[] = [];
  const entries = items.entries();
  const worker = async () => {
    for (const [at, item] of entries) [outcomes[at]] = await Promise.allSettled([work(item)]);
  };
  await Promise.all(Array.from({ length: MOST_AT_ONCE }, worker));
  return outcomes;
}

function told(
  process: KillAnswer['process'],
  outcome: KillAnswer['outcome'],
  { signal = 'SIGTERM' }: Options,
  survivors: KillAnswer['survivors'],
): string {
  const named = survivors.map(({ pid, command, why }) => `  survivor ${pid} (${oneLine(command)}): ${why}`);
  switch (outcome) {
    case 'ended':
      return [endingSentence(process), ...named].join('\n');
    case 'already-ended':
      return `Already ended: ${endingSentence(process)}`;
    case 'signalled':
      return [`${process.id} was sent ${signal} and still runs.`, ...named].join('\n');
  }
}

function parseSignal(text: string): Signal {
  const signal = Signal.safeParse(text);
  if (!signal.success) throw new InvalidArgumentError('Rouse does not send that signal.');
  return signal.data;
}
