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
import { ProcessId } from './contract/ids.js';
import { redactor } from './domain/redaction.js';
import { Home } from './home.js';
import { createApp } from './http/app.js';
import type { Place } from './place.js';
import type { Tools } from './place/local/folder.js';
import { isModelKey, loginEnvironment } from './place/local/login-environment.js';
import { LocalPlace } from './place/local/place.js';
import { Inputs } from './runtime/inputs.js';
import { OutputReader } from './runtime/output.js';
import { Supervisor } from './runtime/supervisor.js';
import { Upkeep } from './runtime/upkeep.js';
import { Views } from './runtime/view.js';
import type { Store } from './store.js';
import { SqliteStore } from './store/sqlite/store.js';
import { telemetry } from './telemetry.js';

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
  const { env, around = {} } = options;
  const path = homeOf(env);
  const configuration = configurationOf(path, env, {
    ...(options.port !== undefined && { port: options.port }),
    ...(options.host && { host: options.host }),
  });
  // From here on everything we make is ours alone; commands get the person's own mask back.
  const umask = process.umask(0o077);
  const home = await Home.take(path);
  try {
    return await open(home, configuration, options, umask, around);
  } catch (error) {
    home.leave();
    throw error;
  }
}

async function open(
  home: Home,
  configuration: Configuration,
  { env, anyPort }: ServeOptions,
  umask: number,
  around: NonNullable<ServeOptions['around']>,
): Promise<Host> {
  const clock = systemClock;
  const token = home.token(env['ROUSE_TOKEN']);
  const secrets = redactor([
    token,
    ...Object.entries(env).flatMap(([name, value]) => (isModelKey(name) && value ? [value] : [])),
  ]);
  const { tell, log, figures, watchRunning } = telemetry(configuration.logLevel, secrets.redact);

  const opened = await SqliteStore.open(join(home.path, 'rouse.db'));
  const store = around.store?.(opened) ?? opened;
  const local = await localPlace(home.path, configuration, env, umask, clock, (why) =>
    log.warn({ why }, 'login environment not read'),
  );
  const place = around.place?.(local) ?? local;
  const settings = {
    ...configuration.limits,
    quotaBytes: configuration.output.quotaBytes,
    graceMs: configuration.kill.graceMs,
    launchMs: LAUNCH_MS,
  };
  const supervisor = new Supervisor(store, [place], clock, newProcessId, secrets, settings, tell);
  const upkeep = new Upkeep(supervisor, store, clock, configuration.retention, tell);
  const reader = new OutputReader(supervisor.places, secrets);
  watchRunning(() => supervisor.unfinished.length);
  await supervisor.recover();
  await upkeep.forget();

  const stopping = new AbortController();
  const server = createServer();
  const portOf = () => (server.address() as AddressInfo).port;
  const app = createApp({
    store,
    supervisor,
    reader,
    inputs: new Inputs(supervisor, configuration.limits.waitingInputs),
    views: new Views(supervisor, reader, clock),
    clock,
    admission: { token, allowedHosts: configuration.allowedHosts, allowedOrigins: configuration.allowedOrigins },
    figures,
    version,
    startedAt: clock.now(),
    stopping: stopping.signal,
    port: portOf,
    fault: (during, error) => tell({ kind: 'fault', during, error }),
  });
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  server.on('request', (request, response) => void answer(request, response));
  await listen(server, configuration, anyPort ?? false);
  upkeep.start();
  const url = `http://${configuration.host.includes(':') ? `[${configuration.host}]` : configuration.host}:${portOf()}`;
  home.announce({ pid: process.pid, url, version, startedAt: new Date(clock.now()).toISOString() });
  log.info({ url, home: home.path, version, node: process.version }, 'serving');

  const stop = async (why: string) => {
    log.info({ why, running: supervisor.unfinished.length }, 'stopping');
    stopping.abort();
    upkeep.stop();
    await Promise.race([new Promise((closed) => server.close(closed)), pause(clock, DRAIN_MS)]);
    server.closeAllConnections();
    await supervisor.stop();
    await store.close();
    home.leave();
  };
  return { url, home: home.path, token, stop };
}

async function localPlace(
  home: string,
  configuration: Configuration,
  env: NodeJS.ProcessEnv,
  umask: number,
  clock: Clock,
  warn: (why: string) => void,
): Promise<LocalPlace> {
  const loginShell = env['SHELL'] || userInfo().shell || '/bin/sh';
  const { env: login, fellBack } = await loginEnvironment(clock, loginShell, env, LOGIN_MS);
  if (fellBack) warn(fellBack);
  const path = `${login['PATH'] ?? ''}${delimiter}/usr/bin${delimiter}/bin`;
  const tools: Tools = {
    shell: configuration.shell ?? onPath('bash', path) ?? '/bin/sh',
    setsid: onPath('setsid', path) ?? '/usr/bin/setsid',
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
const newProcessId = (): ProcessId =>
  ProcessId.parse(`proc_${Array.from(randomBytes(16), (byte) => ALPHABET[byte % 32]).join('')}`);
