/** Many who look at once while many turns speak: how late the latest word is at the slowest of them. */
import { connect, type Socket } from 'node:net';
import { rouse, type RouseField } from '../rouse.js';
import { onStage } from '../stage.js';
import { PacedProvider } from '../turns/paced-provider.js';
import { pssKb } from '../usage.js';
import { pause } from '../wait.js';

export type Watched = { readonly worstLagMs: number; readonly hostKb: number };

const WORDS_A_SECOND = 20;
const LOOK_MS = 500;
/** An @ and the moment behind it. */
const STAMP = 14;
const LONGEST_MS = 120_000;

export async function watched(streams: number, turns: number, overMs: number): Promise<Watched> {
  const deltas = (overMs / 1_000) * WORDS_A_SECOND;
  await using provider = await PacedProvider.start({ deltas, overMs, stamped: true });
  const config = { providers: { paced: { baseUrl: provider.url } } };
  return await onStage(rouse({ config }), 0, async ({ field }) => {
    const readers = await Promise.all(Array.from({ length: streams }, () => Reader.open(field)));
    const sessions = await Promise.all(
      Array.from({ length: turns }, () => field.session({ model: 'paced/words', agent: 'rouse' })),
    );
    await Promise.all(sessions.map((id) => field.ask('POST', `/api/sessions/${id}/messages`, { text: 'Speak.' })));
    let hostKb = 0;
    while (readers.some(({ ends }) => ends < turns)) {
      hostKb = Math.max(hostKb, pssKb([field.pid]));
      await pause(LOOK_MS);
    }
    for (const reader of readers) reader.close();
    return { worstLagMs: Math.max(...readers.map(({ worstLagMs }) => worstLagMs)), hostKb };
  });
}

/** Reads as little into what it gets as it can: five hundred of them share a core with the host. */
class Reader {
  worstLagMs = 0;
  ends = 0;
  readonly #began = Date.now();
  /** Words that were heard, by the moment at which they were said: one who was behind is told them again, whole. */
  readonly #heard = new Uint8Array(LONGEST_MS);

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => this.#read(chunk));
  }

  static open(field: RouseField): Promise<Reader> {
    const { hostname, port, host } = new URL(field.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        const reader = new Reader(socket);
        socket.once('data', () => resolve(reader));
        socket.write(`GET /api/events HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${field.token}\r\n\r\n`);
      });
      socket.on('error', reject);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  #read(chunk: Buffer): void {
    const now = Date.now();
    for (let at = chunk.indexOf('@'); at >= 0; at = chunk.indexOf('@', at + STAMP)) this.#hear(chunk, at, now);
    for (let at = chunk.indexOf('"turnEnded"'); at >= 0; at = chunk.indexOf('"turnEnded"', at + 1)) this.ends++;
  }

  /** A stamp that a chunk cuts in two is no number, and is not looked at. */
  #hear(chunk: Buffer, at: number, now: number): void {
    const saidAt = Number(chunk.toString('latin1', at + 1, at + STAMP));
    const index = saidAt - this.#began;
    if (!(index >= 0 && index < LONGEST_MS) || this.#heard[index]) return;
    this.#heard[index] = 1;
    this.worstLagMs = Math.max(this.worstLagMs, now - saidAt);
  }
}
