/** The composition root: how a host starts. Only the stages know the implementations. */
import { fileURLToPath } from 'node:url';
import { configurationOf, homeOf } from './configuration.js';
import { Home } from './home.js';
import { ownIdentity } from '../host-note.js';
import { layFoundation, Opened, type Foundation } from './start/foundation.js';
import { openToPeople } from './start/people.js';
import { deliverNotices, openPorts, startProcesses, type Around } from './start/processes.js';
import { startSessions } from './start/sessions.js';
import { version } from '../version.js';

export type Host = {
  readonly url: string;
  readonly home: string;
  readonly token: string;
  /** A link that signs one browser in, within 15 minutes. */
  signInLink(): string;
  /** Resolves when the host has closed everything. Processes keep running. */
  stop(why: string): Promise<void>;
};

export type ServeOptions = {
  readonly env: NodeJS.ProcessEnv;
  readonly port?: number;
  readonly host?: string;
  /** Takes any free port when the configured one is taken. */
  readonly anyPort?: boolean;
  /** The folder of the page; by default the one next to this program. */
  readonly page?: string;
  readonly around?: Around;
};

const OWN_PAGE = fileURLToPath(new URL('page', import.meta.url));

export async function serve(options: ServeOptions): Promise<Host> {
  const path = homeOf(options.env);
  const configuration = configurationOf(path, options.env, {
    ...(options.port !== undefined && { port: options.port }),
    ...(options.host && { host: options.host }),
  });
  // From here on only this user can read the files we create; commands get the person's own mask back.
  const umask = process.umask(0o077);
  const opened = new Opened();
  try {
    const home = await Home.take(path);
    opened.add(() => home.leave());
    return await open(layFoundation({ home, configuration, env: options.env, umask, opened }), options);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function open(
  foundation: Foundation,
  { around = {}, anyPort = false, page = OWN_PAGE }: ServeOptions,
): Promise<Host> {
  const { home, clock, token, telemetry, opened } = foundation;
  const ports = await openPorts(foundation, around);
  const processes = await startProcesses(foundation, ports);
  await deliverNotices(foundation, processes);
  const sessions = await startSessions(foundation, processes);
  const { url, signInLink } = await openToPeople(foundation, processes, sessions, { anyPort, page });
  home.announce({ ...ownIdentity(), url, version, startedAt: new Date(clock.now()).toISOString() });
  telemetry.log.info({ url, home: home.path, version, node: process.version }, 'serving');
  let stopped: Promise<void> | undefined;
  const stop = async (why: string) => {
    telemetry.log.info({ why, running: processes.supervisor.unfinished.length }, 'stopping');
    // The host keeps serving meanwhile: it stores messages and answers requests.
    await sessions.engine.drain();
    await opened.close();
  };
  return { url, home: home.path, token, signInLink, stop: (why) => (stopped ??= stop(why)) };
}
