/**
 * The small helper that starts shims, so that a start costs the same however large the host has grown.
 *
 *   1. Requests are answered in order, each by its ticket.
 *   2. When the helper dies a new one is started and asked again for what was not answered: every request
 *      may be performed twice.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../ports/clock.js';

type Helper = ChildProcessByStdio<Writable, Readable, null>;
type Request = { readonly line: string; readonly answer: (status: number) => void };

/** A system that is out of processes must not be asked a thousand times a second. */
const RETRY_MS = 50;

export class Launcher {
  readonly #open = new Map<number, Request>();
  #helper: Helper | undefined;
  #tickets = 0;
  #closed = false;

  constructor(
    readonly script: string,
    readonly home: string,
    readonly shim: string,
    /** Where the programs are that launcher and shims run for themselves. */
    readonly path: string,
    readonly clock: Clock,
  ) {}

  /** Answers with the exit status of the request. */
  ask(...words: readonly string[]): Promise<number> {
    return new Promise((answer) => {
      const ticket = ++this.#tickets;
      const request = { line: `${ticket} ${words.join(' ')}\n`, answer };
      this.#open.set(ticket, request);
      if (this.#helper) this.#helper.stdin.write(request.line);
      else this.#startAndAskAgain();
    });
  }

  close(): void {
    this.#closed = true;
    this.#helper?.stdin.end();
    this.#helper?.unref();
  }

  #startAndAskAgain(): void {
    if (this.#closed || this.#helper) return;
    try {
      this.#helper = this.#start();
      for (const request of this.#open.values()) this.#helper.stdin.write(request.line);
    } catch {
      // EMFILE, EAGAIN: no descriptors or no processes left; what was asked for waits.
      this.clock.alarm(RETRY_MS, () => this.#startAndAskAgain());
    }
  }

  /** With an environment of its own: what a person exports is for commands, and steers neither launcher nor shim. */
  #start(): Helper {
    const helper = spawn('/bin/sh', [this.script, this.home, this.shim], {
      cwd: '/',
      env: { PATH: this.path },
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    createInterface(helper.stdout).on('line', (line) => this.#answered(line));
    // EPIPE: the helper is gone; `close` follows and asks a new one.
    helper.stdin.on('error', () => undefined);
    helper.on('error', () => this.#died(helper));
    helper.on('close', () => this.#died(helper));
    return helper;
  }

  #answered(line: string): void {
    const [ticket = '', status = ''] = line.split(' ');
    this.#open.get(Number(ticket))?.answer(Number(status));
    this.#open.delete(Number(ticket));
  }

  #died(helper: Helper): void {
    if (this.#helper !== helper) return;
    this.#helper = undefined;
    if (!this.#closed && this.#open.size > 0) this.clock.alarm(RETRY_MS, () => this.#startAndAskAgain());
  }
}
