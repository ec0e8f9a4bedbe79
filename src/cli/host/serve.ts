import { InvalidArgumentError, Option } from 'commander';
import { routes } from '../../contract/routes.js';
import { answer, say, type Caller } from '../caller.js';
import { DONE, FAILED, type AddCommand } from '../command.js';
import { ignoresHangUp } from './hang-up.js';
import { shownHome } from './host.js';
import { onSignal } from '../signals.js';

/** With `--any-port` a home that another host holds is told by this status: who started us then uses the other. */
export const HOME_TAKEN = 75;

type Options = { port?: number; host?: string; anyPort?: boolean };

export const addServe: AddCommand = (program, caller, ends) => {
  program
    .command('serve')
    .description('run the host in the foreground; processes go on when it stops')
    .option('--port <n>', 'listen on this port (default 7673; 0 takes any that is free)', parsePort)
    .option('--host <address>', 'listen on this address (default 127.0.0.1)')
    .addOption(new Option('--any-port', 'take any free port when the configured one is taken').hideHelp())
    .action(ends((options: Options) => serve(caller, options)));
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
    'Ctrl-C stops the host. Processes go on without it.',
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
      say(caller, `${name}: the host stops. Processes go on; the next host takes them up.`);
      resolve(name);
    });
  });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}
