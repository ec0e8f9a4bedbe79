/** The command line as a whole. */
import { Command, CommanderError } from 'commander';
import { say, type Caller } from './caller.js';
import { DONE, FAILED, WRONG_USAGE, type AddCommand, type Ends } from './command.js';
import { explain } from './failure.js';

/** Every command by its name, in the order of the help; each is loaded when it is needed. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./host/serve.js')).addServe,
  open: async () => (await import('./host/serve.js')).addOpen,
  run: async () => (await import('./process/run.js')).addRun,
  ps: async () => (await import('./process/ps.js')).addPs,
  logs: async () => (await import('./output/logs.js')).addLogs,
  wait: async () => (await import('./process/wait.js')).addWait,
  kill: async () => (await import('./process/kill.js')).addKill,
  write: async () => (await import('./process/input.js')).addWrite,
  close: async () => (await import('./process/input.js')).addClose,
  attach: async () => (await import('./output/attach.js')).addAttach,
  sessions: async () => (await import('./session/sessions.js')).addSessions,
  send: async () => (await import('./session/send.js')).addSend,
  show: async () => (await import('./session/show.js')).addShow,
  answer: async () => (await import('./session/answer.js')).addAnswer,
  stop: async () => (await import('./session/stop.js')).addStop,
  notices: async () => (await import('./notice/notices.js')).addNotices,
  why: async () => (await import('./notice/notices.js')).addWhy,
  notify: async () => (await import('./notice/notices.js')).addNotify,
  models: async () => (await import('./session/models.js')).addModels,
  doctor: async () => (await import('./host/doctor.js')).addDoctor,
  completion: async () => (await import('./completion.js')).addCompletion,
};

/** The named command alone. Without such a name all of them: for the help, for completion, to suggest what was meant. */
const commandsFor = (name = ''): Promise<readonly AddCommand[]> =>
  Promise.all(
    Object.entries(commands)
      .filter(([known]) => known === name || !Object.hasOwn(commands, name))
      .map(([, load]) => load()),
  );

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
