/** The command line as a whole. */
import { Command, CommanderError } from 'commander';
import { say, type Caller } from './caller.js';
import { DONE, FAILED, WRONG_USAGE, type AddCommand, type Ends } from './command.js';
import { explain } from './failure.js';
import { addAnswer } from './session/answer.js';
import { addAttach } from './output/attach.js';
import { addCompletion } from './completion.js';
import { addDoctor } from './host/doctor.js';
import { addClose, addWrite } from './process/input.js';
import { addKill } from './process/kill.js';
import { addLogs } from './output/logs.js';
import { addModels } from './session/models.js';
import { addNotices, addNotify, addWhy } from './notice/notices.js';
import { addPs } from './process/ps.js';
import { addRun } from './process/run.js';
import { addSend } from './session/send.js';
import { addOpen, addServe } from './host/serve.js';
import { addSessions } from './session/sessions.js';
import { addShow } from './session/show.js';
import { addStop } from './session/stop.js';
import { addWait } from './process/wait.js';

const commands: readonly AddCommand[] = [
  addServe,
  addOpen,
  addRun,
  addPs,
  addLogs,
  addWait,
  addKill,
  addWrite,
  addClose,
  addAttach,
  addSessions,
  addSend,
  addShow,
  addAnswer,
  addStop,
  addNotices,
  addWhy,
  addNotify,
  addModels,
  addDoctor,
  addCompletion,
];

/** Does what the caller asks. The exit status: 0 done, 1 refused or failed, 2 wrong usage, or a process's own. */
export async function runCommandLine(caller: Caller): Promise<number> {
  let status = DONE;
  const ends: Ends =
    (work) =>
    async (...args) => {
      status = (await work(...args)) ?? DONE;
    };
  const program = describe(caller);
  for (const add of commands) add(program, caller, ends);
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
