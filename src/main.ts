/** The composition root: the only file that knows every implementation. */
import { randomBytes } from 'node:crypto';
import { accessSync, constants, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { pause, type Clock } from './clock.js';
import { systemClock } from './clock/system.js';
import { configurationOf, homeOf, type Configuration } from './configuration.js';
import { NoticeId, ProcessId, SessionId } from './contract/ids.js';
import { WebhookCourier } from './courier/webhook.js';
import { modelBlock } from './domain/notice-block.js';
import { redactor } from './domain/redaction.js';
import { Home } from './home.js';
import { createApp } from './http/app.js';
import type { Place } from './place.js';
import type { Tools } from './place/local/folder.js';
import { isModelKey, loginEnvironment } from './place/local/login-environment.js';
import { LocalPlace } from './place/local/place.js';
import { Delivery } from './runtime/delivery.js';
import { Inputs } from './runtime/inputs.js';
import { News } from './runtime/news.js';
import { noticeView } from './runtime/notice-view.js';
import { Notices } from './runtime/notices.js';
import { Sessions } from './runtime/sessions.js';
import { Supervisor, type SupervisorSettings } from './runtime/supervisor.js';
import { Upkeep } from './runtime/upkeep.js';
import { Views } from './runtime/view.js';
import type { NoticeRecord, Numbered, SessionRecord, Store } from './store.js';
import { SqliteStore } from './store/sqlite/store.js';
import { telemetry, type Telemetry } from './telemetry.js';

export type Host = {
  readonly url: string;
  readonly home: string;
  readonly token: string;
  /** Over when the host has let go of everything. Processes go on. */
  stop(why: string): Promise<void>;
};

export type ServeOptions = {
  readonly env: NodeJS.ProcessEnv;
  readonly port?: number;
  readonly host?: string;
  /** Takes any free port when the configured one is taken. */
  readonly anyPort?: boolean;
  /** A test puts its own in front of the real ones, to die or to fail at a chosen call. */
  readonly around?: { readonly store?: (store: Store) => Store; readonly place?: (place: Place) => Place };
};

const LOGIN_MS = 5_000;
const LAUNCH_MS = 10_000;
const DRAIN_MS = 2_000;

export const version: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

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
    return await open(home, configuration, options, umask, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function open(
  home: Home,
  configuration: Configuration,
  options: ServeOptions,
  umask: number,
  opened: Opened,
): Promise<Host> {
  const { env, around = {} } = options;
  const clock = systemClock;
  const token = home.token(env['ROUSE_TOKEN']);
  const modelKeys = Object.entries(env).flatMap(([name, value]) => (isModelKey(name) && value ? [value] : []));
  const secrets = redactor([token, ...modelKeys]);
  const told = telemetry(configuration.logLevel, secrets.redact);
  const { tell, log } = told;

  const fellBack = (why: string) => log.warn({ why }, 'login environment not read');
  const local = localPlace(home.path, configuration, env, umask, clock, fellBack);
  const place = around.place?.(local) ?? local;
  opened.add(() => place.close());
  const sqlite = await SqliteStore.open(join(home.path, 'rouse.db'), clock, {
    used: (await place.folders()).length > 0,
  });
  const store = around.store?.(sqlite) ?? sqlite;
  opened.add(() => store.close());

  const news = new News();
  const notices = new Notices(store, clock, newId(NoticeId, 'ntc_'), news, tell);
  const { retention, delivery: figures } = configuration;
  const settings = settingsOf(configuration);
  const supervisor = new Supervisor(store, [place], clock, newId(ProcessId, 'proc_'), notices, secrets, settings, tell);
  opened.add(() => supervisor.stop());
  told.watchRunning(() => supervisor.unfinished.length);
  await supervisor.recover();
  const upkeep = new Upkeep(supervisor, store, clock, retention, tell);
  await upkeep.forget().catch((error: unknown) => tell({ kind: 'fault', during: 'forgetting ended processes', error }));
  upkeep.start();
  opened.add(() => upkeep.stop());

  const courier = new WebhookCourier(clock, figures.timeoutMs, `rouse/${version}`);
  const body = (notice: Numbered<NoticeRecord>, session: SessionRecord) => ({
    notice: noticeView(notice, session),
    text: modelBlock([notice]),
  });
  const delivery = new Delivery(store, notices, courier, news, clock, figures, body, tell);
  await delivery.start();
  opened.add(() => delivery.stop());

  const sessions = new Sessions(store, supervisor, notices, news, clock, newId(SessionId, 'ses_'), newSecret);
  const url = await openDoor(
    {
      store,
      supervisor,
      sessions,
      notices,
      news,
      clock,
      token,
      told,
      configuration,
      anyPort: options.anyPort ?? false,
    },
    opened,
  );
  home.announce({ pid: process.pid, url, version, startedAt: new Date(clock.now()).toISOString() });
  log.info({ url, home: home.path, version, node: process.version }, 'serving');
  const stop = async (why: string) => {
    log.info({ why, running: supervisor.unfinished.length }, 'stopping');
    await opened.close();
  };
  return { url, home: home.path, token, stop };
}

const settingsOf = ({ limits, output, kill, notices, watch, breaker }: Configuration): SupervisorSettings => ({
  ...limits,
  quotaBytes: output.quotaBytes,
  graceMs: kill.graceMs,
  launchMs: LAUNCH_MS,
  tail: { lines: notices.tailLines, characters: notices.tailCharacters },
  watching: { watch, breaker },
});

/** What was opened, closed in reverse: when the host stops, and when its start fails halfway. */
class Opened {
  readonly #closers: (() => unknown)[] = [];

  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#closers.pop(); close; close = this.#closers.pop())
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    if (failures.length > 0) throw failures[0];
  }
}

type Door = {
  readonly store: Store;
  readonly supervisor: Supervisor;
  readonly sessions: Sessions;
  readonly notices: Notices;
  readonly news: News;
  readonly clock: Clock;
  readonly token: string;
  readonly told: Telemetry;
  readonly configuration: Configuration;
  readonly anyPort: boolean;
};

/** Opens the HTTP interface and answers with its address. */
async function openDoor(door: Door, opened: Opened): Promise<string> {
  const { store, supervisor, sessions, notices, news, clock, token, told, configuration, anyPort } = door;
  const { reader } = supervisor;
  const { host, allowedHosts, allowedOrigins, limits } = configuration;
  const stopping = new AbortController();
  const server = createServer();
  const portOf = () => (server.address() as AddressInfo).port;
  // A wildcard is no name to be reached by; from this machine loopback is.
  const reachable = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  const app = createApp({
    store,
    supervisor,
    sessions,
    notices,
    news,
    reader,
    inputs: new Inputs(supervisor, limits.waitingInputs),
    views: new Views(supervisor, reader, clock),
    clock,
    admission: { token, host: reachable, allowedHosts, allowedOrigins },
    figures: told.figures,
    version,
    startedAt: clock.now(),
    stopping: stopping.signal,
    port: portOf,
    fault: (during, error) => told.tell({ kind: 'fault', during, error }),
  });
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  server.on('request', (request, response) => void answer(request, response));
  await listen(server, configuration, anyPort);
  opened.add(async () => {
    stopping.abort();
    await Promise.race([new Promise((closed) => server.close(closed)), pause(clock, DRAIN_MS)]);
    server.closeAllConnections();
  });
  return `http://${reachable}:${portOf()}`;
}

/** The login environment is asked for at once and waited for by nobody but the first start. */
function localPlace(
  home: string,
  configuration: Configuration,
  env: NodeJS.ProcessEnv,
  umask: number,
  clock: Clock,
  warn: (why: string) => void,
): LocalPlace {
  const loginShell = env['SHELL'] || userInfo().shell || '/bin/sh';
  const login = loginEnvironment(clock, loginShell, env, LOGIN_MS).then(({ env: told, fellBack }) => {
    if (fellBack) warn(fellBack);
    return told;
  });
  const path = [env['PATH'] ?? '', '/usr/bin', '/bin'].join(delimiter);
  const tools: Tools = {
    shell: configuration.shell ?? onPath('bash', path) ?? '/bin/sh',
    setsid: onPath('setsid', path) ?? '/usr/bin/setsid',
    env: onPath('env', path) ?? '/usr/bin/env',
    script: onPath('script', path) ?? '/usr/bin/script',
    loginShell,
    umask,
  };
  return new LocalPlace(home, tools, login, clock);
}

function onPath(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
    .find((candidate) => {
      try {
        accessSync(candidate, constants.X_OK);
        return true;
      } catch {
        // ENOENT, EACCES: not here.
        return false;
      }
    });
}

function listen(server: Server, { host, port }: Pick<Configuration, 'host' | 'port'>, anyPort: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE' || port === 0) reject(error);
      else if (anyPort) listen(server, { host, port: 0 }, false).then(resolve, reject);
      else
        reject(
          new Error(
            `Port ${port} on ${host} is taken by another program. Give another with --port, or 0 for any that is free.`,
          ),
        );
    });
    server.listen(port, host, resolve);
  });
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** 80 bits of chance, in letters that are not mistaken for each other. */
const newId =
  <Id>(shape: { parse(text: string): Id }, prefix: string) =>
  (): Id =>
    shape.parse(prefix + Array.from(randomBytes(16), (byte) => ALPHABET[byte % 32]).join(''));

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
