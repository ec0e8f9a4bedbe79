/**
 * A place is anywhere that gives a POSIX shell: this machine, an SSH host, a container.
 *
 * Every process has a folder there. What the shim leaves in it is the truth; a place only reads it.
 * No method promises that the place answers: a fault is thrown, and the caller tries again later.
 */
import type { ProcessId } from '../contract/ids.js';
import type { Refusal } from '../contract/refusal.js';
import type { Signal } from '../contract/process.js';
import type { ExitRecord, Identity, Instant, Owned } from '../domain/process/process.js';

/** Everything the shim must know. `command` and `env` may hold secrets; they go into the folder and nowhere else. */
export type LaunchPlan = {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly pty: boolean;
};

/** What a look at the folder and at the processes of the place shows. */
export type Sighting =
  /** No shim has claimed the folder. One may still come, unless `abandon` succeeds. */
  | { readonly kind: 'unclaimed' }
  /** A shim has claimed it and is about to start the command. */
  | { readonly kind: 'claimed'; readonly alive: boolean }
  /** The command lives, or its shim does, which will write its end; without the shim the end is not recorded. */
  | { readonly kind: 'running'; readonly owned: Owned; readonly shimAlive: boolean; readonly damage?: string }
  /** It is dead, and its end was recorded. `at` comes from a file and may be any number. */
  | {
      readonly kind: 'exited';
      readonly record: ExitRecord;
      readonly at: Instant;
      readonly owned?: Owned;
      readonly damage?: string;
    }
  /** The shim refused the start. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** Neither alive nor recorded. */
  | { readonly kind: 'gone'; readonly why: string; readonly owned?: Owned };

export type Member = { readonly identity: Identity; readonly command: string };

/** Of a command and all that it started. Memory that several of them share is counted for each. */
export type TreeUsage = { readonly cpuMs: number; readonly memoryBytes: number; readonly processes: number };

export interface Place {
  readonly name: string;

  /** Refuses what could never start here. Without `cwd` it does not check the directory: the shim does, at the start. */
  check(plan: Pick<LaunchPlan, 'pty'> & Partial<Pick<LaunchPlan, 'cwd'>>): Promise<Refusal | undefined>;

  /** The directory of a process that asks for none. */
  readonly defaultCwd: string;

  /** Makes the folder and writes the plan into it. Again for the same id: the same. */
  prepare(id: ProcessId, plan: LaunchPlan): Promise<void>;

  /** Requests the start and does not wait for it: `look` shows it. Requested twice, it happens once. */
  launch(id: ProcessId): void;

  /** Makes sure that no shim can claim the folder any more; false when one was faster. */
  abandon(id: ProcessId): Promise<boolean>;

  /** `known` is its identity from an earlier look; then nothing in its folder can change it, or make it dead. */
  look(id: ProcessId, known?: Owned): Promise<Sighting>;

  /** How many of these still live. Reads only these, while `members` reads the whole place. */
  countAlive(identities: readonly Identity[]): Promise<number>;

  /** Calls when there may be something new to see of a process. A hint only: calls get lost and come twice. */
  listen(heard: (id: ProcessId) => void): Disposable;

  /** Makes the calls of `listen` that were missed. False when it is unknown which those are: then look at all. */
  listenAgain(): boolean;

  /** Says that the process was seen to run: what only its start needed may be deleted. */
  settle(id: ProcessId): void;

  /** Calls when the output of a process may have grown, at least once after growth; then maybe never again. */
  listenToOutput(id: ProcessId, grew: () => void): Disposable;

  /** How many bytes were written so far, or a refusal when the output is no longer a file of ours. */
  outputSize(id: ProcessId): Promise<number | Refusal>;

  /** The bytes from an offset on; fewer than asked for only at the end of the file. */
  readOutput(id: ProcessId, offset: number, length: number): Promise<Uint8Array | Refusal>;

  /** Whether the disk of this place can give blocks back. */
  canRelease(): Promise<boolean>;

  /** Gives the disk its blocks back; reading them yields zeros from then on. False where that is not possible. */
  releaseOutput(id: ProcessId, from: number, to: number): Promise<boolean>;

  /** Hands bytes to the command's input; all of them, or a refusal that says how many were taken. */
  write(owned: Owned, bytes: Uint8Array): Promise<Refusal | undefined>;

  /** Ends the input after what was written. A second time changes nothing. */
  closeInput(owned: Owned): Promise<void>;

  resize(owned: Owned, rows: number, cols: number): Promise<Refusal | undefined>;

  /** Whether the command or a descendant sits in a read of its input or its terminal. */
  waitsForInput(owned: Owned): Promise<boolean>;

  /**
   * Every living process that the command started, itself included, wherever it went; never the shim. `known` were
   * members before, and still are while they live. Asked for many at once, the place is looked at once.
   */
  members(id: ProcessId, owned: Owned, known?: readonly Member[]): Promise<readonly Member[]>;

  /**
   * What each of these uses now; the processor's time is since its start, but may fall when a member ends that
   * no parent waited for. One look for all of them. Undefined where the place cannot know.
   */
  usage(
    trees: readonly { readonly id: ProcessId; readonly owned: Owned }[],
  ): Promise<ReadonlyMap<ProcessId, TreeUsage> | undefined>;

  /** Sends a signal to the command's group and to these members, each only if it is still provably the same. */
  signal(owned: Owned, members: readonly Member[], signal: Signal): Promise<void>;

  /** Deletes the folder with all that is in it. */
  remove(id: ProcessId): Promise<void>;

  /** The ids of all folders, to find those without a record. */
  folders(): Promise<readonly ProcessId[]>;

  close(): Promise<void>;
}
