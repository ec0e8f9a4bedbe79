/** Starts the HTTP server. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { pause, type Clock } from '../ports/clock.js';
import { Address } from '../http/address.js';
import { createApp, type AppParts } from '../http/app.js';
import { Connections, TurnedAway } from '../http/connections.js';
import { Page } from '../http/page.js';
import { linkTo } from '../http/people.js';

export type ServerSettings = {
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly token: string;
  /** Takes any free port when the wanted one is taken. */
  readonly anyPort: boolean;
  /** The folder of the page. */
  readonly page: string;
};

export type OpenServer = {
  readonly url: string;
  /** A link that signs one browser in, within 15 minutes. */
  readonly signInLink: () => string;
  readonly close: () => Promise<void>;
};

const DRAIN_MS = 2_000;
const IDLE_MS = 75_000;
/** How long a request line and its headers may take to arrive. */
const HEAD_MS = 10_000;
/** Connections waiting to be accepted. With the default of 511, a thousand kills at once would see resets. */
const BACKLOG = 4_096;

export async function openServer(
  parts: Omit<AppParts, 'token' | 'address' | 'page' | 'connections' | 'turnedAway' | 'stopping'> & {
    readonly tell: TurnedAway['tell'];
  },
  settings: ServerSettings,
  clock: Clock,
): Promise<OpenServer> {
  const { host, token, anyPort } = settings;
  const stopping = new AbortController();
  // Longer than clients keep an idle connection: closing one just as it is used again would fail a request.
  const server = createServer({
    keepAliveTimeout: IDLE_MS,
    headersTimeout: HEAD_MS,
    connectionsCheckingInterval: HEAD_MS / 2,
  });
  const turnedAway = new TurnedAway(clock, parts.tell);
  const connections = new Connections(() => turnedAway.count('crowdedOut'), descriptors());
  // A closing server has no address, but requests still arrive on open connections.
  let listensOn = 0;
  const port = () => listensOn;
  // A wildcard is not an address to connect to; on this machine loopback is.
  const reachable = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  const address = new Address({ ...settings, host: reachable }, port);
  const page = new Page(settings.page);
  const app = createApp({ ...parts, token, address, page, connections, turnedAway, stopping: stopping.signal });
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  server.on('connection', (socket) => connections.opened(socket));
  server.on('request', (request, response) => {
    connections.asked(request.socket, response);
    void answer(request, response);
  });
  await listen(server, settings, anyPort);
  listensOn = (server.address() as AddressInfo).port;
  const close = async () => {
    stopping.abort();
    parts.browsers.close();
    await Promise.race([new Promise((closed) => server.close(closed)), pause(clock, DRAIN_MS)]);
    server.closeAllConnections();
  };
  const url = `http://${reachable}:${port()}`;
  return { url, signInLink: () => linkTo(url, parts.links.issue().code), close };
}

function listen(
  server: Server,
  { host, port }: Pick<ServerSettings, 'host' | 'port'>,
  anyPort: boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE' || port === 0) reject(error);
      else if (anyPort) listen(server, { host, port: 0 }, false).then(resolve, reject);
      else
        reject(
          new Error(
            `Port ${port} on ${host} is used by another program. Choose another with --port, or 0 for any free port.`,
          ),
        );
    });
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
}

/** How many files this process may open; a low guess where the system does not say. */
function descriptors(): number {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1] ?? 256);
  } catch {
    // ENOENT: not Linux.
    return 256;
  }
}
