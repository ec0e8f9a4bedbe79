import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isatty } from 'node:tty';
import { Option } from 'commander';
import { routes } from '../../contract/routes.js';
import { answer, say, type Caller } from '../caller.js';
import { DONE, FAILED, print, type AddCommand } from '../command.js';
import { ensureHost, HOME_TAKEN } from './background.js';
import { shownHome } from './find-host.js';
import { wholeNumber } from '../print/parse.js';
import { onSignal } from '../signals.js';

type Options = { port?: number; host?: string; anyPort?: boolean };

export const addServe: AddCommand = (program, caller, ends) => {
  program
    .command('serve')
    .description('run the host in the foreground; processes keep running when it stops')
    .option('--port <n>', 'listen on this port (default 7673; 0 takes any free port)', wholeNumber(0, 65_535))
    .option('--host <address>', 'listen on this address (default 127.0.0.1)')
    .addOption(new Option('--any-port', 'take any free port when the configured one is taken').hideHelp())
    .action(ends((options: Options) => serve(caller, options)));
};

export const addOpen: AddCommand = (program, caller, ends) => {
  program
    .command('open')
    .description('print a link that signs a browser in and opens the page; it works once')
    .option('--json', 'print it as JSON')
    .action(
      ends(async ({ json }: { json?: boolean }) => {
        const link = await (await ensureHost(caller)).signInLink();
        if (!json) say(caller, 'Works once, within 15 minutes.');
        print(caller, json, link, link.url);
      }),
    );
};

async function serve(caller: Caller, options: Options): Promise<number> {
  // A terminal that was closed (EIO) or a reader that is gone (EPIPE) is no reason to stop.
  for (const stream of [caller.stdout, caller.stderr]) stream.on('error', () => undefined);
  // Listened for from the beginning: once others can see the host, a signal may come.
  const signalled = firstSignal(caller);
  const host = await caller.serve({ env: caller.env, ...options }).catch((error: unknown) => {
    say(caller, error instanceof Error ? error.message : String(error));
    return options.anyPort && error instanceof Error && error.name === 'HomeTaken' ? HOME_TAKEN : FAILED;
  });
  if (typeof host === 'number') return host;
  // A link is a credential: it goes to a person at a terminal, never into a file or a log.
  answer(caller, welcome(caller, host.url, caller.stdout.isTTY ? host.signInLink() : undefined));
  await host.stop(await signalled);
  return DONE;
}

function welcome(caller: Caller, url: string, link: string | undefined): string {
  const home = shownHome(caller);
  return [
    `Rouse ${caller.version} serves ${home} at ${url}`,
    '',
    ...(link === undefined
      ? []
      : [`Open ${link}`, 'The link works once, within 15 minutes. "rouse open" prints another.', '']),
    ...(link === undefined ? ['  rouse open                  print a link that signs a browser in'] : []),
    '  rouse run -- make test      start a process in the background',
    '  rouse ps                    see what runs',
    `  curl -H "Authorization: Bearer $(cat ${home}/token)" ${url}${routes.process.list.path}`,
    '',
    'Ctrl-C stops the host. Processes keep running.',
  ].join('\n');
}

/**
 * The second signal is for a person who does not want to wait for the first. A closed terminal is none: the kernel and the
 * shell both send SIGHUP then.
 */
function firstSignal(caller: Caller): Promise<string> {
  const ignored = ignoresHangUp(caller.env);
  return new Promise((resolve) => {
    let heard = false;
    onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], (name) => {
      if (name === 'SIGHUP' && (heard || ignored)) return;
      if (heard) process.exit(FAILED);
      heard = true;
      say(caller, `${name}: the host is stopping. Processes keep running; the next host takes over.`);
      resolve(name);
    });
  });
}

/**
 * Whether the host keeps running when its terminal is closed. Node resets every signal when it starts, so a SIGHUP that `nohup`
 * or a shell made us ignore cannot be seen in our own process. Their other traces can:
 *
 *   1. bash and zsh leave the name of the program they started, `nohup`, in the variable `_`;
 *   2. a shell that ignores the signal lets us inherit that, and shows it in its own status;
 *   3. `nohup` at a terminal leaves no stream on that terminal, so its end takes nothing from us.
 */
const ignoresHangUp = (env: NodeJS.ProcessEnv): boolean =>
  basename(env['_'] ?? '') === 'nohup' || parentIgnoresIt() || (hasTerminal() && ![0, 1, 2].some(isatty));

/** The signal is number 1, the lowest bit. */
const parentIgnoresIt = (): boolean =>
  /^SigIgn:\s*[0-9a-f]*[13579bdf]$/m.test(read(`/proc/${process.ppid}/status`) ?? '');

/** The seventh field of `stat` is the device of the controlling terminal; the second may hold blanks. */
function hasTerminal(): boolean {
  const stat = read('/proc/self/stat') ?? '';
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[4] ?? 0) !== 0;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // ENOENT, EACCES: then nothing is known.
    return undefined;
  }
}
