import { isAbsolute, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { RouseClient } from '../../client/client.js';
import type { ProcessView, StartInput } from '../../contract/process.js';
import { ensureHost } from '../host/background.js';
import { answer, answerJson, say, type Caller } from '../caller.js';
import { DONE, type AddCommand } from '../command.js';
import { parseDuration } from '../print/parse.js';
import { STATUSES, statusOf } from './ending.js';
import { withoutStatus } from '../failure.js';
import { showOutput } from '../output/logs.js';
import { interruptible } from '../signals.js';
import { waitFor } from './wait.js';

type Options = {
  session?: string;
  pty?: boolean;
  place?: string;
  cwd?: string;
  name?: string;
  timeout?: number;
  env: Readonly<Record<string, string>>;
  notify?: boolean;
  watch: readonly string[];
  wait?: boolean;
  json?: boolean;
};

export const addRun: AddCommand = (program, caller, ends) => {
  program
    .command('run')
    .usage('[options] -- COMMAND …')
    .description('start a process in the background; starts a host if none runs')
    .argument('<command...>', 'one word is a whole shell command line; several are quoted and joined')
    .option('--session <id>', 'the session that the process belongs to')
    .option('--pty', 'give it a terminal')
    .option('--place <name>', 'the place to run it in')
    .option('--cwd <directory>', 'its working directory (default: the current one)')
    .option('--name <name>', 'its name')
    .option('--timeout <time>', 'end it after this time: 90s, 10m, 2h', parseDuration)
    .option('--env <name=value>', 'an environment variable; repeatable', addVariable, {})
    .option('--notify', 'notify the session when it ends (default session: your own, "Terminal")')
    .option(
      '--watch <pattern>',
      'notify the session when a line contains this text or matches this /regular expression/; repeatable',
      append,
      [],
    )
    .option('--wait', 'show its output and exit with its status')
    .option('--json', 'print the response as JSON; with --wait the final one, without output')
    .addHelpText('after', `\nWith --wait:${STATUSES}`)
    .action(
      ends((command: string[], options: Options) => {
        const work = () => run(caller, command, options);
        return options.wait ? withoutStatus(caller, work) : work();
      }),
    );
};

async function run(caller: Caller, command: readonly string[], options: Options): Promise<number> {
  const client = await ensureHost(caller);
  const notifies = options.notify || options.watch.length > 0;
  const session = options.session ?? (notifies ? await terminalSession(client, caller) : undefined);
  const started = await client.start(requestOf(caller, command, { ...options, ...(session && { session }) }));
  for (const note of started.notes ?? []) say(caller, note);
  const { process } = started;
  if (options.wait) return showUntilEnd(caller, client, process, options.json ?? false);
  if (options.json) answerJson(caller, started);
  else answer(caller, caller.stdout.isTTY ? nextSteps(process) : process.id);
  return DONE;
}

const requestOf = (caller: Caller, command: readonly string[], options: Options): StartInput => ({
  command: commandLine(command),
  // A place that is not this machine has its own idea of where to begin.
  ...((options.cwd ?? (options.place ?? 'local') === 'local') && { cwd: directoryOf(caller, options.cwd) }),
  env: options.env,
  ...(options.pty && { pty: true }),
  ...(options.place && { place: options.place }),
  ...(options.session && { session: options.session }),
  ...(options.name && { name: options.name }),
  ...(options.timeout && { timeoutMs: options.timeout }),
  ...(options.notify && { notifyOnComplete: true }),
  watchPatterns: [...options.watch],
});

/** An absolute one needs no current directory, which may have been deleted. */
const directoryOf = (caller: Caller, asked = '.'): string =>
  isAbsolute(asked) ? resolve(asked) : resolve(caller.cwd(), asked);

export const commandLine = (words: readonly string[]): string =>
  words.length === 1 ? (words[0] ?? '') : words.map(quoted).join(' ');

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

const nextSteps = ({ id, notifyOnComplete, watchPatterns }: ProcessView): string =>
  [
    id,
    `  rouse logs -f ${id}   follow its output`,
    `  rouse wait ${id}      wait until it ends`,
    ...(notifyOnComplete || watchPatterns.length > 0 ? [`  rouse why ${id}       explain its notices`] : []),
  ].join('\n');

/**
 * Ctrl-C detaches and leaves the process alone: it was started to outlive its watchers. An end that is shown here is
 * shown to the session that the process was started for.
 */
function showUntilEnd(
  caller: Caller,
  client: RouseClient,
  { id, session }: ProcessView,
  json: boolean,
): Promise<number> {
  const work = async (signal: AbortSignal): Promise<number> => {
    if (!json) await showOutput(caller, client.followBytes(id, { signal }));
    const last = await waitFor(client, id, { session, signal });
    const { end } = last.process;
    if (json) answerJson(caller, last);
    if (end?.kind === 'lost') say(caller, `${id} is lost: ${end.why}.`);
    return statusOf(end);
  };
  return interruptible(work, () =>
    say(caller, `\nDetached; ${id} keeps running. Follow it: rouse logs -f ${id} · end it: rouse kill ${id}`),
  );
}

/** The session of a person who wants to be notified and names none. It has no agent: its notices wait for the person. */
const TERMINAL = { title: 'Terminal', key: 'terminal', agent: 'none' } as const;

/** Made when it is first needed. One that was closed is opened again, since a person now wants to be notified. */
async function terminalSession(client: RouseClient, caller: Caller): Promise<string> {
  const { session } = await client.createSession(TERMINAL);
  if (session.closedAt === undefined) return session.id;
  await client.changeSession(session.id, { closed: false });
  say(caller, `Session "${TERMINAL.title}" (${session.id}) was closed and is open again.`);
  return session.id;
}

function addVariable(text: string, before: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Write it as NAME=VALUE.');
  return { ...before, [name]: value };
}

const append = (text: string, before: readonly string[]): readonly string[] => [...before, text];
