/**
 * What Rouse remembers. Every durable write goes through here.
 *
 *   1. A transaction is all or nothing, and when `transact` has returned it survives a power cut, unless less was asked.
 *   2. Numbers are in commit order: once a reader has seen number n, it never later finds a smaller one.
 *   3. Nothing is promised about how long a call takes; a store that is locked or full throws a `StoreFault`.
 */
import type { ProcessId, SessionId } from './contract/ids.js';
import type { Instant, Lifecycle } from './domain/process.js';
import type { Released } from './domain/quota.js';

/** A process as it is remembered. The command is redacted; its environment is not here at all. */
export type ProcessRecord = {
  readonly id: ProcessId;
  readonly session?: SessionId;
  readonly name?: string;
  readonly command: string;
  readonly cwd: string;
  readonly place: string;
  readonly pty: boolean;
  readonly notifyOnComplete: boolean;
  readonly watchPatterns: readonly string[];
  readonly timeoutMs?: number;
  readonly startedAt: Instant;
  readonly lifecycle: Lifecycle;
  readonly released: Released;
  /** What the command did to its own output file, in a sentence. */
  readonly damage?: string;
  /** Settled when it ended; while it runs the place is asked. */
  readonly outputBytes?: number;
};

/** The number of its last change comes with a record that is read. */
export type Numbered<Record> = Record & { readonly seq: number };

export type ProcessFilter = {
  readonly session?: SessionId;
  readonly state?: Lifecycle['kind'];
  readonly limit?: number;
};

export interface ProcessReader {
  get(id: ProcessId): Promise<Numbered<ProcessRecord> | undefined>;
  /** The newest first. */
  list(filter?: ProcessFilter): Promise<readonly Numbered<ProcessRecord>[]>;
  /** The ids that begin so, at most `limit`. */
  beginningWith(beginning: string, limit: number): Promise<readonly ProcessId[]>;
  /** What has changed since that number, in the order of its last change. */
  changedAfter(seq: number, limit: number): Promise<readonly Numbered<ProcessRecord>[]>;
}

export type ProcessChange = Partial<Pick<ProcessRecord, 'lifecycle' | 'released' | 'damage' | 'outputBytes'>>;

export interface ProcessWriter extends ProcessReader {
  /** `duplicate` when the id is taken; then nothing is changed. */
  insert(record: ProcessRecord): Promise<'inserted' | 'duplicate'>;
  /** False when there is no such process. */
  update(id: ProcessId, change: ProcessChange): Promise<boolean>;
  remove(ids: readonly ProcessId[]): Promise<void>;
}

export interface Transaction {
  readonly processes: ProcessWriter;
}

/** `power cut` is the default. `crash` survives the host but perhaps not the machine: for what could be seen again. */
export type Durability = 'power cut' | 'crash';

export interface Store {
  readonly processes: ProcessReader;

  /** Runs the work, then commits. What the work throws undoes it and is thrown on. */
  transact<Result>(work: (transaction: Transaction) => Promise<Result>, durability?: Durability): Promise<Result>;

  /** Reads everything once and says what is damaged; nothing when all is well. */
  check(): Promise<readonly string[]>;

  close(): Promise<void>;
}

/** The store could not do it: locked by another program, out of room, damaged. The sentence says which, and what to do. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}
