/** A reader who asks for a stream and then reads nothing. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { TestHost } from './host.js';

export function deafReader(host: TestHost, path: string): Promise<Socket> {
  const { hostname, port, host: name } = new URL(host.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.pause();
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${name}\r\nauthorization: Bearer ${host.token}\r\n\r\n`);
      resolve(socket);
    });
    socket.on('error', () => undefined);
  });
}

/** The host still holds its side of the connection. */
export function isHeld(host: TestHost, reader: Socket): boolean {
  const [theirs, ours] = [Number(new URL(host.url).port), reader.localPort ?? 0].map(inHex);
  const line = new RegExp(`^\\s*\\d+: [0-9A-F]{8}:${theirs} [0-9A-F]{8}:${ours} 01 `, 'm');
  return line.test(readFileSync('/proc/net/tcp', 'latin1'));
}

const inHex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');
