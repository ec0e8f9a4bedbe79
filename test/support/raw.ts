/** A request as bytes, so that nothing of it is put right on the way. */
import { connect } from 'node:net';
import type { TestHost } from './host.js';

export function raw(host: TestHost, request: string): Promise<{ status: number; head: string; body: string }> {
  const { hostname, port } = new URL(host.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.end(request));
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('close', () => {
      const [head = '', ...rest] = text.split('\r\n\r\n');
      resolve({ status: Number(text.split(' ')[1]), head, body: rest.join('') });
    });
    socket.on('error', reject);
  });
}
