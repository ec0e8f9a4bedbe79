/** Rouse, by its HTTP interface. */
import { createInterface } from 'node:readline';
import { Agent, request } from 'node:http';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { nowMs, type Field, type Peer } from './peer.js';
import { forkOwn, gone } from './programs.js';
import { childrenOf } from './usage.js';
import { Arrivals, pause, until } from './wait.js';

type Settings = {
  readonly quotaBytes?: number;
  /** Beside what the bench itself sets in config.json. */
  readonly config?: object;
  readonly ballastMb?: number;
  /** Writes what a host before this one would have left in the store. */
  readonly fill?: (database: string) => Promise<void>;
};

export const rouse = (settings: Settings = {}): Peer<RouseField> => ({
  name: 'Rouse',
  installed: () => true,
  async open({ folder, commands }) {
    const home = join(folder, 'home');
    mkdirSync(home);
    const config = {
      limits: { processes: 10_000 },
      logLevel: 'info',
      // Whatever keys stand in the environment: nobody's money is spent on a measure.
      model: 'rehearsal',
      ...(settings.quotaBytes && { output: { quotaBytes: settings.quotaBytes } }),
      ...settings.config,
    };
    writeFileSync(join(home, 'config.json'), JSON.stringify(config));
    await settings.fill?.(join(home, 'rouse.db'));
    const field = new RouseField(home, commands, settings.ballastMb ?? 0);
    await field.serve();
    return field;
  },
});

type Line = { readonly msg: string };
type Told = { url: string; token: string } | { stored: string[]; at: number } | { collected: true };

/** What one collection lets go of, the next may give back to the machine. */
const COLLECTIONS = 3;
/** Longer than any measure takes. */
const LONGEST_MS = 600_000;
const SETTLE_MS = 500;

export class RouseField implements Field {
  readonly #ids = new Map<number, string>();
  readonly #stored = new Arrivals<string, number>();
  /** A connection that nobody uses is let go of long before the host does so, perhaps while it is being used again. */
  readonly #agent = new Agent({ keepAlive: true, timeout: 1_000 });
  #host: ChildProcess | undefined;
  #collected: () => void = () => undefined;
  url = '';
  token = '';

  constructor(
    readonly home: string,
    readonly commands: readonly string[],
    readonly ballastMb: number,
  ) {}

  /** Starts a host over the home; says how long it took to have everything taken up, and to give the first answer. */
  async serve(): Promise<{ recoveredMs: number; answeredMs: number }> {
    const before = nowMs();
    const env = { ROUSE_HOME: this.home, ROUSE_BENCH_BALLAST_MB: String(this.ballastMb) };
    const host = forkOwn('host.js', env, [], 'pipe');
    this.#host = host;
    const recovered = lineOf(host, 'recovered');
    const died = gone(host).then(() => Promise.reject(new Error('The host ended while it started.')));
    await Promise.race([this.#greeting(host), died]);
    const recoveredMs = (await recovered) - before;
    await this.ask('GET', '/api/processes?limit=1');
    return { recoveredMs, answeredMs: nowMs() - before };
  }

  get pid(): number {
    return this.#host?.pid ?? 0;
  }

  async start(index: number, more: object = {}): Promise<void> {
    const { process } = await this.ask<{ process: { id: string } }>('POST', '/api/processes', {
      command: this.commands[index],
      cwd: this.home,
      ...more,
    });
    this.#ids.set(index, process.id);
  }

  /** A session, by its id. */
  async session(more: object = {}): Promise<string> {
    return (await this.ask<{ session: { id: string } }>('POST', '/api/sessions', more)).session.id;
  }

  /** What nobody holds any more is not counted as a cost. */
  async collectGarbage(): Promise<void> {
    for (let round = 0; round < COLLECTIONS; round++) {
      const collected = new Promise<void>((done) => (this.#collected = done));
      this.#host?.send('collect garbage');
      await collected;
      await pause(SETTLE_MS);
    }
  }

  ended(index: number): Promise<number> {
    return this.#stored.of(this.idOf(index));
  }

  /** The moment at which a client that waits over HTTP knows the end. */
  async waited(index: number): Promise<number> {
    await this.ask('POST', `/api/processes/${this.idOf(index)}/wait`, { timeoutMs: LONGEST_MS });
    return nowMs();
  }

  async keepers(): Promise<readonly number[]> {
    return [this.pid, ...childrenOf(this.pid), ...this.shims()];
  }

  shims(): number[] {
    return [...this.#ids.values()].flatMap((id) => {
      const [, pid] = /^shim (\d+)/m.exec(readFileSync(this.#file(id, 'pid'), 'latin1')) ?? [];
      return pid ? [Number(pid)] : [];
    });
  }

  async captured(index: number): Promise<readonly string[]> {
    return [this.#file(this.idOf(index), 'output')];
  }

  idOf(index: number): string {
    return this.#ids.get(index) ?? '';
  }

  async kill(): Promise<void> {
    this.#host?.kill('SIGKILL');
    if (this.#host) await gone(this.#host);
  }

  async close(): Promise<void> {
    const folders = () => readdirSync(join(this.home, 'processes'));
    await until('every shim to end', () => folders().every((id) => this.#hasEnded(id)), { everyMs: 20 });
    this.#agent.destroy();
    this.#host?.kill('SIGTERM');
    if (this.#host) await gone(this.#host);
  }

  ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${this.token}`,
      ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    return new Promise((resolve, reject) => {
      const asked = request(`${this.url}${path}`, { method, headers, agent: this.#agent }, (response) => {
        let answer = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
        response.on('end', () => {
          if ((response.statusCode ?? 500) < 300) resolve(JSON.parse(answer) as Answer);
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${answer}`));
        });
      });
      asked.on('error', reject).end(text);
    });
  }

  #greeting(host: ChildProcess): Promise<void> {
    return new Promise((resolve) => {
      host.on('message', (message: Told) => {
        if ('stored' in message) for (const id of message.stored) this.#stored.arrive(id, message.at);
        else if ('collected' in message) this.#collected();
        else {
          this.url = message.url;
          this.token = message.token;
          resolve();
        }
      });
    });
  }

  #hasEnded(id: string): boolean {
    try {
      return readFileSync(this.#file(id, 'exit')).length > 0;
    } catch {
      // ENOENT: not yet.
      return false;
    }
  }

  #file(id: string, name: string): string {
    return join(this.home, 'processes', id, name);
  }
}

/** When the host has logged this message. Its log is read to the end, so that it never waits for us. */
function lineOf(host: ChildProcess, message: string): Promise<number> {
  return new Promise((resolve) => {
    if (!host.stderr) return;
    createInterface(host.stderr).on('line', (line) => {
      if (line.startsWith('{') && (JSON.parse(line) as Line).msg === message) resolve(nowMs());
      else if (!line.startsWith('{') || line.includes('"level":"error"')) console.error(line);
    });
  });
}
