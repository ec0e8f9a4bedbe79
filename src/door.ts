/** Opens the HTTP interface. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { pause, type Clock } from './clock.js';
import { createApp, type AppParts } from './http/app.js';

export type DoorSettings = {
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly token: string;
  /** Takes any free port when the wanted one is taken. */
  readonly anyPort: boolean;
};

export type OpenDoor = { readonly url: string; readonly close: () => Promise<void> };

const DRAIN_MS = 2_000;

export async function openDoor(
  parts: Omit<AppParts, 'admission' | 'stopping' | 'port'>,
  settings: DoorSettings,
  clock: Clock,
): Promise<OpenDoor> {
  const { host, token, allowedHosts, allowedOrigins, anyPort } = settings;
  const stopping = new AbortController();
  const server = createServer();
  const port = () => (server.address() as AddressInfo).port;
  // A wildcard is no name to be reached by; from this machine loopback is.
  const reachable = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  const admission = { token, host: reachable, allowedHosts, allowedOrigins };
  const app = createApp({ ...parts, admission, port, stopping: stopping.signal });
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  server.on('request', (request, response) => void answer(request, response));
  await listen(server, settings, anyPort);
  const close = async () => {
    stopping.abort();
    await Promise.race([new Promise((closed) => server.close(closed)), pause(clock, DRAIN_MS)]);
    server.closeAllConnections();
  };
  return { url: `http://${reachable}:${port()}`, close };
}

function listen(server: Server, { host, port }: Pick<DoorSettings, 'host' | 'port'>, anyPort: boolean): Promise<void> {
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
