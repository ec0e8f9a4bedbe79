import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onCleanUp } from './clean-up.js';

/** Listens on a free port of this machine until the test is over. Returns the address. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onCleanUp(() => close(server));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
}
