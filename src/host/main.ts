/** The composition root: how a host starts. Each stage knows the implementations that it chooses, and nobody else does. */
import { fileURLToPath } from 'node:url';
import { configurationOf, homeOf } from './configuration.js';
import { Home } from './home.js';
import { ownIdentity } from '../host-note.js';
import { Opened } from './opened.js';
import { deliverNotices } from './start/delivery.js';
import { groundOf, type Ground } from './start/foundation.js';
import { keepProcesses } from './start/processes.js';
import { letPeopleIn } from './start/people.js';
import { openPorts, type Around } from './start/ports.js';
import { beginDialogue } from './start/sessions.js';
import { version } from '../version.js';

export type Host = {
  readonly url: string;
  readonly home: string;
  readonly token: string;
  /** A link that signs one browser in, within 15 minutes. */
  signInLink(): string;
  /** Over when the host has let go of everything. Processes go on. */
  stop(why: string): Promise<void>;
};

export type ServeOptions = {
  readonly env: NodeJS.ProcessEnv;
  readonly port?: number;
  readonly host?: string;
  /** Takes any free port when the configured one is taken. */
  readonly anyPort?: boolean;
  /** The folder of the page; by default the one beside this program. */
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
  // From here on everything we make is ours alone; commands get the person's own mask back.
  const umask = process.umask(0o077);
  const opened = new Opened();
  try {
    const home = await Home.take(path);
    opened.add(() => home.leave());
    return await open(groundOf(home, configuration, options.env, umask, opened), options);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function open(ground: Ground, { around = {}, anyPort = false, page = OWN_PAGE }: ServeOptions): Promise<Host> {
  const { home, clock, token, told, opened } = ground;
  const ports = await openPorts(ground, around);
  const keeping = await keepProcesses(ground, ports);
  await deliverNotices(ground, keeping);
  const talking = await beginDialogue(ground, keeping);
  const { url, signInLink } = await letPeopleIn(ground, keeping, talking, { anyPort, page });
  home.announce({ ...ownIdentity(), url, version, startedAt: new Date(clock.now()).toISOString() });
  told.log.info({ url, home: home.path, version, node: process.version }, 'serving');
  let stopped: Promise<void> | undefined;
  const stop = async (why: string) => {
    told.log.info({ why, running: keeping.supervisor.unfinished.length }, 'stopping');
    // The door stays open meanwhile: what people say is kept, and what they look at is shown.
    await talking.dialogue.drain();
    await opened.close();
  };
  return { url, home: home.path, token, signInLink, stop: (why) => (stopped ??= stop(why)) };
}
