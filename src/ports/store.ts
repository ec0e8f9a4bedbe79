/**
 * What Rouse remembers. Every durable write goes through here.
 *
 *   1. A transaction is all or nothing, and when `transact` has returned it survives a power cut, unless less was asked.
 *   2. Numbers are in commit order: once a reader has seen number n, it never later finds a smaller one.
 *   3. Nothing is promised about how long a call takes; a store that is locked or full throws a `StoreFault`.
 */
import type { MessageId, NoticeId, ProcessId, SessionId, TurnId } from '../contract/ids.js';
import type { Entry, EntryBody, Mode } from '../contract/journal.js';
import type { AgentPolicy, Cause, NoticeState, PeoplePolicy } from '../contract/notice.js';
import type { AgentName } from '../contract/session.js';
import type { Mailbox } from '../domain/session/mailbox.js';
import type { OpenQuestion } from '../domain/session/open-question.js';
import type { Instant, Lifecycle } from '../domain/process/process.js';
import type { Released } from '../domain/output/quota.js';
import type { Standing } from '../domain/notice/settle.js';
import type { ScanMark } from '../domain/notice/line-scan.js';
import type { Watch } from '../domain/notice/watch.js';

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
  /** The generation of the session in which a turn started it. */
  readonly generation?: number;
  readonly timeoutMs?: number;
  readonly startedAt: Instant;
  readonly lifecycle: Lifecycle;
  readonly released: Released;
  /** What the command did to its own output file, in a sentence. */
  readonly damage?: string;
  /** Settled when it ended; while it runs the place is asked. */
  readonly outputBytes?: number;
  /** How far its output was watched, and what came of it. Only with patterns. */
  readonly watch?: WatchRecord;
};

export type WatchRecord = { readonly state: Watch; readonly mark: ScanMark };

/** The number of its last change comes with a record that is read. */
export type Numbered<Record> = Record & { readonly seq: number };

export type ProcessFilter = {
  readonly session?: SessionId;
  readonly state?: Lifecycle['kind'];
  readonly limit?: number;
};

/** Processes are followed by nobody by number: an end costs as little as it can, and the stream only says where to look. */
export interface ProcessReader {
  get(id: ProcessId): Promise<ProcessRecord | undefined>;
  /** The newest first. */
  list(filter?: ProcessFilter): Promise<readonly ProcessRecord[]>;
  /** The ids that begin so, at most `limit`. */
  beginningWith(beginning: string, limit: number): Promise<readonly ProcessId[]>;
  /** Rows that a list leaves out because they cannot be read, and those that hold what no version should have stored. */
  damaged(): Promise<readonly DamagedRow[]>;
}

export type DamagedRow = { readonly id: string; readonly why: string };

export type ProcessChange = Partial<
  Pick<ProcessRecord, 'lifecycle' | 'released' | 'damage' | 'outputBytes' | 'watch' | 'notifyOnComplete'>
>;

export interface ProcessWriter extends ProcessReader {
  /** `duplicate` when the id is taken; then nothing is changed. */
  insert(record: ProcessRecord): Promise<'inserted' | 'duplicate'>;
  /** False when there is no such process. */
  update(id: ProcessId, change: ProcessChange): Promise<boolean>;
  /** With their notices. */
  remove(ids: readonly ProcessId[]): Promise<void>;
}

export type Webhook = { readonly url: string; readonly secret: string };

export type SessionRecord = {
  readonly id: SessionId;
  /** None until a person or its first message names it. */
  readonly title?: string;
  readonly agent: AgentName;
  readonly model?: string;
  /** Whoever makes a session with a key gets the same one again. */
  readonly key?: string;
  readonly people: PeoplePolicy;
  readonly wakes: AgentPolicy;
  readonly webhook?: Webhook;
  readonly mailbox: Mailbox;
  /** The turn that runs, or that ran when the last host died. */
  readonly turn?: RunningTurn;
  /** The number of its last compaction: what stands before it is not shown to the model any more. */
  readonly contextFrom: number;
  /** Up to which number a person has seen its entries. */
  readonly seenSeq: number;
  /** How many entries behind that number speak to a person. */
  readonly unread: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly closedAt?: Instant;
};

export type RunningTurn = {
  readonly id: TurnId;
  readonly generation: number;
  /** Its questions, exactly as they were asked. They go with the results of their calls, or with the turn. */
  readonly asked?: readonly OpenQuestion[];
};

export interface SessionReader {
  get(id: SessionId): Promise<Numbered<SessionRecord> | undefined>;
  byKey(key: string): Promise<Numbered<SessionRecord> | undefined>;
  /** The one that changed last first. */
  list(limit?: number): Promise<readonly Numbered<SessionRecord>[]>;
  beginningWith(beginning: string, limit: number): Promise<readonly SessionId[]>;
  /** Those whose turn runs, by what is stored. */
  running(): Promise<readonly Numbered<SessionRecord>[]>;
  /** Those in whose mailbox something waits: a message, a wake, the end of a pause. */
  waiting(): Promise<readonly Numbered<SessionRecord>[]>;
}

export type SessionChange = {
  readonly [Field in 'title' | 'people' | 'wakes' | 'mailbox' | 'contextFrom' | 'updatedAt']?: SessionRecord[Field];
} & {
  readonly [Field in 'model' | 'webhook' | 'turn' | 'closedAt']?: SessionRecord[Field] | null;
};

export interface SessionWriter extends SessionReader {
  /** `duplicate` when the id or the key is taken; then nothing is changed. */
  insert(record: SessionRecord): Promise<'inserted' | 'duplicate'>;
  /** False when there is no such session. Null takes a field away. */
  update(id: SessionId, change: SessionChange): Promise<boolean>;
  /** Raises what was seen up to a number, and never lowers it. It is no change of the session and takes no number. */
  see(id: SessionId, seq: number): Promise<void>;
}

/** A notice as it is remembered: what happened, to whom it is owed, and what became of it. */
export type NoticeRecord = {
  readonly id: NoticeId;
  readonly session: SessionId;
  readonly process?: ProcessId;
  /** With the process and the kind it names the fact. */
  readonly number?: number;
  /** With the session it names a message from outside. */
  readonly key?: string;
  readonly cause: Cause;
  readonly at: Instant;
  readonly standing: Standing;
};

export type NoticeFilter = {
  readonly session?: SessionId;
  readonly process?: ProcessId;
  readonly state?: NoticeState;
  readonly limit?: number;
};

export interface NoticeReader {
  get(id: NoticeId): Promise<Numbered<NoticeRecord> | undefined>;
  byKey(session: SessionId, key: string): Promise<Numbered<NoticeRecord> | undefined>;
  /** The newest first. */
  list(filter?: NoticeFilter): Promise<readonly Numbered<NoticeRecord>[]>;
  beginningWith(beginning: string, limit: number): Promise<readonly NoticeId[]>;
  /** What has changed since that number, in the order of its last change. */
  changedAfter(seq: number, limit: number, session?: SessionId): Promise<readonly Numbered<NoticeRecord>[]>;
  /**
   * What a session is owed and whose time has come, in the order in which it was admitted. What is due after `latest`
   * counts too: nobody can have meant it.
   */
  due(session: SessionId, now: Instant, limit: number, latest?: Instant): Promise<readonly Numbered<NoticeRecord>[]>;
  /** When the next of what a session is owed is due; undefined when it is owed nothing. */
  nextDueAt(session: SessionId): Promise<Instant | undefined>;
  /** How many notices each session is owed; sessions that are owed nothing are left out. */
  owed(): Promise<ReadonlyMap<SessionId, number>>;
  /** The same for one of them. */
  owedTo(session: SessionId): Promise<number>;
  /** Which of these processes have a notice that is not settled. */
  owing(processes: readonly ProcessId[]): Promise<ReadonlySet<ProcessId>>;
}

export interface NoticeWriter extends NoticeReader {
  /** Adds a notice. The same (process, kind, number) again, or the same key, is `duplicate`, whatever else differs. */
  admit(notice: NoticeRecord): Promise<'admitted' | 'duplicate'>;
  /** False when there is no such notice. */
  update(id: NoticeId, standing: Standing): Promise<boolean>;
}

/** An entry before it has its number. */
export type NewEntry = { readonly turn?: TurnId; readonly at: Instant; readonly body: EntryBody };

export interface JournalReader {
  /** Entries of one session behind a number, oldest first. */
  after(session: SessionId, seq: number, limit: number): Promise<readonly Entry[]>;
  /** The last entries of a session before a number and behind another, oldest first. */
  before(session: SessionId, seq: number, limit: number, after?: number): Promise<readonly Entry[]>;
  /** Entries of all sessions behind a number, oldest first. */
  since(seq: number, limit: number, sessions?: readonly SessionId[]): Promise<readonly Entry[]>;
}

export interface JournalWriter extends JournalReader {
  /** In the order given, with numbers in the order of the commits. */
  append(session: SessionId, entries: readonly NewEntry[]): Promise<readonly Entry[]>;
}

/** A person's message. What became of it stands in `state`; only `waiting` is still to come. */
export type MessageRecord = {
  readonly id: MessageId;
  readonly session: SessionId;
  readonly text: string;
  readonly mode: Mode;
  readonly from: string;
  readonly key?: string;
  readonly at: Instant;
  readonly state: 'waiting' | 'begun' | 'told' | 'answered' | 'dropped' | 'withdrawn';
};

export interface MessageReader {
  get(id: MessageId): Promise<MessageRecord | undefined>;
  byKey(session: SessionId, key: string): Promise<MessageRecord | undefined>;
  /** In the order in which they came. */
  waiting(session: SessionId): Promise<readonly MessageRecord[]>;
}

export interface MessageWriter extends MessageReader {
  /** `duplicate` when the id, or the key in its session, is taken; then nothing is changed. */
  insert(message: MessageRecord): Promise<'inserted' | 'duplicate'>;
  update(id: MessageId, change: Partial<Pick<MessageRecord, 'state' | 'text' | 'mode'>>): Promise<boolean>;
}

/** The states of machines that are one for the whole host, by name. */
export interface KeptReader {
  get(name: string): Promise<unknown>;
}

export interface KeptWriter extends KeptReader {
  put(name: string, state: unknown): Promise<void>;
}

export interface Readers {
  readonly processes: ProcessReader;
  readonly sessions: SessionReader;
  readonly notices: NoticeReader;
  readonly journal: JournalReader;
  readonly messages: MessageReader;
  readonly kept: KeptReader;
}

export interface Transaction extends Readers {
  readonly processes: ProcessWriter;
  readonly sessions: SessionWriter;
  readonly notices: NoticeWriter;
  readonly journal: JournalWriter;
  readonly messages: MessageWriter;
  readonly kept: KeptWriter;
}

/** `power cut` is the default. `crash` survives the host but perhaps not the machine: for what could be seen again. */
export type Durability = 'power cut' | 'crash';

export interface Store extends Readers {
  /** The last number that was given in the series of sessions, notices and entries; 0 before the first. */
  head(): Promise<number>;

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
