/** The built command line, run as a person or a script runs it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RouseClient } from '../../src/client/client.js';
import { endWithTest, noteOf } from '../support/host.js';
import { until } from '../support/until.js';

export const program = fileURLToPath(new URL('../../bin/rouse.js', import.meta.url));

export type Outcome = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

/** A command that has been begun; its texts grow while it runs. */
export class Running {
  stdout = '';
  stderr = '';

  constructor(readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  async outcome(): Promise<Outcome> {
    await new Promise<void>((resolve) => {
      if (this.child.exitCode !== null || this.child.signalCode !== null) resolve();
      else this.child.once('close', () => resolve());
    });
    return { status: this.child.exitCode, stdout: this.stdout, stderr: this.stderr };
  }

  /** Over when the text has been printed on either stream. */
  async printed(text: string): Promise<void> {
    await until(`"${text}" is printed`, () => {
      if (this.child.exitCode !== null && !this.#all.includes(text)) throw new Error(`It ended first: ${this.#all}`);
      return this.#all.includes(text);
    });
  }

  get #all(): string {
    return this.stdout + this.stderr;
  }
}

export const environment = (home: string): NodeJS.ProcessEnv => ({
  ...process.env,
  ROUSE_HOME: home,
  ROUSE_PORT: '0',
  SHELL: '/bin/sh',
});

export function begin(
  home: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Running {
  endWithTest(home);
  const child = spawn(process.execPath, [program, ...args], {
    ...(options.cwd && { cwd: options.cwd }),
    env: { ...environment(home), ...options.env },
    stdio: 'pipe',
  });
  return new Running(child);
}

/** At a terminal of its own, which `script` makes; both streams arrive as one. */
export function beginAtTerminal(home: string, args: readonly string[], { columns = 80 } = {}): Running {
  endWithTest(home);
  const command = [process.execPath, program, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', `stty cols ${columns} rows 24; exec ${command}`, '/dev/null'], {
    env: { ...environment(home), TERM: 'xterm' },
    stdio: 'pipe',
  });
  return new Running(child);
}

/** A command line of a shell, for what only a shell can set up. */
export function beginShell(home: string, command: string, shell = 'sh'): Running {
  endWithTest(home);
  const child = spawn(shell, ['-c', command], { env: environment(home), stdio: 'pipe' });
  return new Running(child);
}

/** The same at a terminal of its own, which is hung up when the child is killed. */
export function beginShellAtTerminal(home: string, command: string): Running {
  endWithTest(home);
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: environment(home), stdio: 'pipe' });
  return new Running(child);
}

export async function rouse(
  home: string,
  args: readonly string[],
  { input = '', ...options }: { input?: string; env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<Outcome> {
  const running = begin(home, args, options);
  running.child.stdin?.end(input);
  return running.outcome();
}

/** Starts a process by the command line, which starts a host if none runs. */
export async function started(home: string, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await rouse(home, ['run', ...args]);
  if (status !== 0) throw new Error(`Nothing was started: ${stderr}`);
  return stdout.trim();
}

/** A client of the host that the command line has started. */
export function clientOf(home: string): RouseClient {
  const note = noteOf(home);
  if (!note) throw new Error(`No host has announced itself in ${home}.`);
  return new RouseClient(note.url, readFileSync(join(home, 'token'), 'utf8').trim());
}

/** Ends the host of a home, and is over when it is gone. */
export async function endHost(home: string, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  const { pid } = await until('a host has announced itself', () => noteOf(home));
  process.kill(pid, signal);
  await until(`host ${pid} is gone`, () => !isAlive(pid));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // ESRCH: it is gone.
    return false;
  }
}
