import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { SessionId } from '../contract/ids.js';
import type { StartInput } from '../contract/process.js';
import { ensureHost } from './background.js';
import { answer, answerJson, say, type Caller } from './caller.js';
import { DONE, type AddCommand } from './command.js';
import { parseDuration } from './duration.js';
import { statusOf } from './ending.js';
import { Line } from './line.js';
import { followBytes } from './reading.js';
import { show } from './showing.js';
import { INTERRUPTED, onSignal } from './signals.js';
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
    .option('--session <id>', 'the session that the process belongs to', parseSession)
    .option('--pty', 'give it a terminal')
    .option('--place <name>', 'where it runs')
    .option('--cwd <directory>', 'where it begins (default: here)')
    .option('--name <name>', 'what to call it')
    .option('--timeout <time>', 'end it after so long: 90s, 10m, 2h', parseDuration)
    .option('--env <name=value>', 'a variable for it; may be given again', addVariable, {})
    .option('--notify', 'wake the session when it ends')
    .option('--watch <pattern>', 'wake the session when a line matches; may be given again', append, [])
    .option('--wait', 'show its output and end with its status')
    .option('--json', 'print the answer of the host; with --wait the last one, and no output')
    .action(ends((command: string[], options: Options) => run(caller, command, options)));
};

async function run(caller: Caller, command: readonly string[], options: Options): Promise<number> {
  const client = await ensureHost(caller);
  const started = await client.start(requestOf(caller, command, options));
  for (const note of started.notes ?? []) say(caller, note);
  const { id } = started.process;
  if (options.wait) return waitFor(caller, id, options.json ?? false);
  if (options.json) answerJson(caller, started);
  else answer(caller, caller.stdout.isTTY ? nextSteps(id) : id);
  return DONE;
}

const requestOf = (caller: Caller, command: readonly string[], options: Options): StartInput => ({
  command: commandLine(command),
  // A place that is not this machine has its own idea of where to begin.
  ...((options.cwd ?? (options.place ?? 'local') === 'local') && { cwd: resolve(caller.cwd, options.cwd ?? '.') }),
  env: options.env,
  ...(options.pty && { pty: true }),
  ...(options.place && { place: options.place }),
  ...(options.session && { session: options.session }),
  ...(options.name && { name: options.name }),
  ...(options.timeout && { timeoutMs: options.timeout }),
  ...(options.notify && { notifyOnComplete: true }),
  watchPatterns: [...options.watch],
});

export const commandLine = (words: readonly string[]): string =>
  words.length === 1 ? (words[0] ?? '') : words.map(quoted).join(' ');

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

const nextSteps = (id: string): string =>
  [id, `  rouse logs -f ${id}   follow its output`, `  rouse wait ${id}      wait for its end`].join('\n');

/** Ctrl-C lets go of the process and does not touch it: it was started to outlive whoever watches. */
async function waitFor(caller: Caller, id: string, json: boolean): Promise<number> {
  const detached = new AbortController();
  using _ = onSignal(['SIGINT'], () => detached.abort());
  const { signal } = detached;
  const line = new Line(caller, signal);
  try {
    if (!json) await show(caller, followBytes(line, { id, offset: 0, signal }));
    const last = await waitForEnd(line, id);
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

export function parseSession(text: string): string {
  const session = SessionId.safeParse(text);
  if (!session.success) throw new InvalidArgumentError('The id of a session begins with "ses_".');
  return session.data;
}
