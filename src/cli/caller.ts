/** Everything a command may know of the world around it, read once in `command-line.ts`. */
import type { Finding } from '../contract/host.js';

/** A stream that may be a terminal. */
export type Screen = NodeJS.WriteStream;

export type Keyboard = NodeJS.ReadStream;

export type Caller = {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Throws when the directory has been deleted meanwhile; only what needs it asks for it. */
  readonly cwd: () => string;
  /** The file of this program, to run a host in the background with. */
  readonly script: string;
  readonly version: string;
  readonly stdin: Keyboard;
  readonly stdout: Screen;
  readonly stderr: Screen;
  readonly serve: Serve;
  readonly diagnose: Diagnose;
};

/** Runs a host in this very program. Handed in, so that no other command has to load it. */
export type Serve = (options: {
  readonly env: NodeJS.ProcessEnv;
  readonly port?: number;
  readonly host?: string;
  readonly anyPort?: boolean;
}) => Promise<{
  readonly url: string;
  readonly home: string;
  signInLink(): string;
  stop(why: string): Promise<void>;
}>;

/** Checks the machine and the home, as only the host's own parts can. */
export type Diagnose = (env: NodeJS.ProcessEnv) => Promise<readonly Finding[]>;

/** For a person, on standard error. */
export const say = ({ stderr }: Pick<Caller, 'stderr'>, sentence: string): void => void stderr.write(`${sentence}\n`);

/** The answer itself, on standard output. */
export const answer = ({ stdout }: Pick<Caller, 'stdout'>, text: string): void => void stdout.write(`${text}\n`);

export const answerJson = (caller: Pick<Caller, 'stdout'>, value: unknown): void =>
  answer(caller, JSON.stringify(value, null, 2));

/** Resolves when there is room for more: a slow reader slows us down instead of filling our memory. */
export const put = (screen: Screen, chunk: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    if (screen.write(chunk)) resolve();
    else screen.once('drain', () => resolve());
  });
