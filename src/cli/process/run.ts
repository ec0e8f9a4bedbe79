import { isAbsolute, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { ProcessView, StartInput } from '../../contract/process.js';
import { ensureHost } from '../host/background.js';
import { answer, answerJson, say, type Caller } from '../caller.js';
import { DONE, type AddCommand } from '../command.js';
import { parseDuration } from '../print/duration.js';
import { STATUSES, statusOf } from './ending.js';
import { withoutStatus } from '../failure.js';
import { Line } from '../host/line.js';
import { followBytes } from '../output/reading.js';
import { show } from '../output/showing.js';
import { INTERRUPTED, onSignal } from '../signals.js';
import { terminalSession } from '../session/terminal-session.js';
import { waitForEnd } from './wait.js';

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
    .argument('<command...>', 'one word is a shell command line as it is; several are quoted and joined')
    .option('--session <id>', 'the session that the process belongs to')
    .option('--pty', 'give it a terminal')
    .option('--place <name>', 'where it runs')
    .option('--cwd <directory>', 'where it begins (default: here)')
    .option('--name <name>', 'what to call it')
    .option('--timeout <time>', 'end it after so long: 90s, 10m, 2h', parseDuration)
    .option('--env <name=value>', 'a variable for it; may be given again', addVariable, {})
    .option('--notify', 'tell the session when it ends; without --session your own, "Terminal"')
    .option(
      '--watch <pattern>',
      'tell it when a line holds this text or matches this /expression/; may be given again',
      append,
      [],
    )
    .option('--wait', 'show its output and end with its status')
    .option('--json', 'print the answer of the host; with --wait the last one, and no output')
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
  const toBeTold = options.notify || options.watch.length > 0;
  const session = options.session ?? (toBeTold ? await terminalSession(client, caller) : undefined);
  const started = await client.start(requestOf(caller, command, { ...options, ...(session && { session }) }));
  for (const note of started.notes ?? []) say(caller, note);
  const { process } = started;
  if (options.wait) return waitFor(caller, process, options.json ?? false);
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
    `  rouse wait ${id}      wait for its end`,
    ...(notifyOnComplete || watchPatterns.length > 0 ? [`  rouse why ${id}       what became of its notices`] : []),
  ].join('\n');

/**
 * Ctrl-C lets go of the process and does not touch it: it was started to outlive whoever watches. Who sees the end here
 * sees it for the session that the process was started for.
 */
async function waitFor(caller: Caller, { id, session }: ProcessView, json: boolean): Promise<number> {
  const detached = new AbortController();
  using _ = onSignal(['SIGINT'], () => detached.abort());
  const { signal } = detached;
  const line = new Line(caller, signal);
  try {
    if (!json) await show(caller, followBytes(line, { id, offset: 0, signal }));
    const last = await waitForEnd(line, id, { session });
    if (last.process.end) {
      if (json) answerJson(caller, last);
      if (last.process.end.kind === 'lost') say(caller, `${id} is lost: ${last.process.end.why}.`);
      return statusOf(last.process.end);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  say(caller, `\n${id} goes on. Follow it: rouse logs -f ${id} · end it: rouse kill ${id}`);
  return INTERRUPTED;
}

function addVariable(text: string, before: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Write it as NAME=VALUE.');
  return { ...before, [name]: value };
}

const append = (text: string, before: readonly string[]): readonly string[] => [...before, text];
