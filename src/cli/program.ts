/** The command line as a whole. */
import { Command, CommanderError } from 'commander';
import { say, type Caller } from './caller.js';
import { DONE, FAILED, WRONG_USAGE, type Ends } from './command.js';
import { commandsFor } from './commands.js';
import { explain } from './failure.js';

/** Does what the caller asks. The exit status: 0 done, 1 refused or failed, 2 wrong usage, or a process's own. */
export async function runCommandLine(caller: Caller): Promise<number> {
  let status = DONE;
  const ends: Ends =
    (work) =>
    async (...args) => {
      status = (await work(...args)) ?? DONE;
    };
  const program = describe(caller);
  for (const add of await commandsFor(caller.args[0])) add(program, caller, ends);
  endWithReader(caller);
  try {
    await program.parseAsync(caller.args.length > 0 ? caller.args : ['help'], { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === DONE ? DONE : WRONG_USAGE;
    say(caller, explain(error, caller));
    return FAILED;
  }
}

const describe = (caller: Caller): Command =>
  new Command('rouse')
    .description(
      'Runs commands in the background and wakes the agent of a session exactly once when there is something to know.',
    )
    .version(caller.version)
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void caller.stdout.write(text),
      writeErr: (text) => void caller.stderr.write(text),
      outputError: (text, write) => write(sentence(text)),
      getOutHelpWidth: () => caller.stdout.columns ?? 80,
      getErrHelpWidth: () => caller.stderr.columns ?? 80,
    });

/** `error: unknown command 'pss'\n(Did you mean ps?)` as we say it. */
const sentence = (text: string): string => {
  const [first = '', ...rest] = text
    .trim()
    .replace(/^error: /, '')
    .split('\n');
  const whole = `${first.charAt(0).toUpperCase()}${first.slice(1)}${/[.!?]$/.test(first) ? '' : '.'}`;
  return `${[whole, ...rest.map((line) => line.replace(/^\((.*)\)$/, '$1'))].join(' ')} Try: rouse help\n`;
};

/** When the reader of a pipe has seen enough (`rouse logs … | head`), there is nothing left to do and nothing wrong. */
function endWithReader({ args, stdout }: Caller): void {
  if (args[0] === 'serve') return;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(DONE);
    throw error;
  });
}
