/**
 * What Rouse stores. Every durable write goes through here.
 *
 *   1. A transaction is all or nothing. Once `transact` has returned it survives a power cut, unless less was asked for.
 *   2. Numbers are in commit order: once a reader has seen number n, it never later finds a smaller one.
 *   3. A reader outside a transaction sees what is committed, and waits for no commit.
 *
 * Not promised: how long a call takes. A store that is locked, full or damaged throws a `StoreFault`.
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

/** A process as it is stored. The command is redacted; its environment is not stored. */
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
  /** What the command did to its own output file, as a sentence. */
  readonly damage?: string;
  /** Known once it has ended; while it runs, ask the place. */
  readonly outputBytes?: number;
  /** How far its output was scanned, and the state of its watch. Only with patterns. */
  readonly watch?: WatchRecord;
};

export type WatchRecord = { readonly state: Watch; readonly mark: ScanMark };

/** A record with the number of its last change. */
export type Numbered<Record> = Record & { readonly seq: number };

export type ProcessFilter = {
  readonly session?: SessionId;
  readonly state?: Lifecycle['kind'];
  readonly limit?: number;
};

/** No stream follows processes by number, so an end takes no number and costs as little as possible. */
export interface ProcessReader {
  get(id: ProcessId): Promise<ProcessRecord | undefined>;
  /** The newest first. */
  list(filter?: ProcessFilter): Promise<readonly ProcessRecord[]>;
  /** At most `limit` ids. */
  startingWith(prefix: string, limit: number): Promise<readonly ProcessId[]>;
  /** Rows that a list leaves out because they cannot be read, and rows with values that no version should have stored. */
  damaged(): Promise<readonly DamagedRow[]>;
}

export type DamagedRow = { readonly id: string; readonly why: string };

export type ProcessChange = Partial<
  Pick<ProcessRecord, 'lifecycle' | 'released' | 'damage' | 'outputBytes' | 'watch' | 'notifyOnComplete'>
>;

export interface ProcessWriter extends ProcessReader {
  /** `duplicate` when the id is taken; then nothing changes. */
  insert(record: ProcessRecord): Promise<'inserted' | 'duplicate'>;
  /** False when there is no such process. */
  update(id: ProcessId, change: ProcessChange): Promise<boolean>;
  /** With their notices. */
  remove(ids: readonly ProcessId[]): Promise<void>;
}

export type Webhook = { readonly url: string; readonly secret: string };

export type SessionRecord = {
  readonly id: SessionId;
  /** Absent until a person or its first message names it. */
  readonly title?: string;
  readonly agent: AgentName;
  readonly model?: string;
  /** Creating a session with the same key returns the same session. */
  readonly key?: string;
  readonly people: PeoplePolicy;
  readonly wakes: AgentPolicy;
  readonly webhook?: Webhook;
  readonly mailbox: Mailbox;
  /** The turn that runs, or that ran when the last host died. */
  readonly turn?: RunningTurn;
  /** The number of its last compaction: the model no longer sees earlier entries. */
  readonly contextFrom: number;
  /** The number up to which a person has seen its entries. */
  readonly seenSeq: number;
  /** How many later entries are for a person to read. */
  readonly unread: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly closedAt?: Instant;
};

export type RunningTurn = {
  readonly id: TurnId;
  readonly generation: number;
  /** Its open questions, exactly as asked. Removed with the results of their calls, or with the turn. */
  readonly asked?: readonly OpenQuestion[];
};

export interface SessionReader {
  get(id: SessionId): Promise<Numbered<SessionRecord> | undefined>;
  byKey(key: string): Promise<Numbered<SessionRecord> | undefined>;
  /** The last changed first. */
  list(limit?: number): Promise<readonly Numbered<SessionRecord>[]>;
  startingWith(prefix: string, limit: number): Promise<readonly SessionId[]>;
  /** Sessions with a stored running turn. */
  running(): Promise<readonly Numbered<SessionRecord>[]>;
  /** Sessions with something waiting in their mailbox: a message, a wake, the end of a pause. */
  waiting(): Promise<readonly Numbered<SessionRecord>[]>;
}

export type SessionChange = {
  readonly [Field in 'title' | 'people' | 'wakes' | 'mailbox' | 'contextFrom' | 'updatedAt']?: SessionRecord[Field];
} & {
  readonly [Field in 'model' | 'webhook' | 'turn' | 'closedAt']?: SessionRecord[Field] | null;
};

export interface SessionWriter extends SessionReader {
  /** `duplicate` when the id or the key is taken; then nothing changes. */
  insert(record: SessionRecord): Promise<'inserted' | 'duplicate'>;
  /** False when there is no such session. Null removes a field. */
  update(id: SessionId, change: SessionChange): Promise<boolean>;
  /** Raises the number up to which entries are seen, and never lowers it. Not a change of the session: takes no number. */
  see(id: SessionId, seq: number): Promise<void>;
}

/** A notice as it is stored: what happened, which session is owed it, and what became of it. */
export type NoticeRecord = {
  readonly id: NoticeId;
  readonly session: SessionId;
  readonly process?: ProcessId;
  /** Identifies the fact, together with the process and the kind. */
  readonly number?: number;
  /** Identifies a message from outside, together with the session. */
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
  startingWith(prefix: string, limit: number): Promise<readonly NoticeId[]>;
  /** Notices changed after a number, in the order of their last change. */
  changedAfter(seq: number, limit: number, session?: SessionId): Promise<readonly Numbered<NoticeRecord>[]>;
  /**
   * Pending notices of a session that are due, in the order of admission. A time after `latest` is taken for an error
   * and counts as due.
   */
  due(session: SessionId, now: Instant, limit: number, latest?: Instant): Promise<readonly Numbered<NoticeRecord>[]>;
  /** When the next pending notice of a session is due; undefined when there is none. */
  nextDueAt(session: SessionId): Promise<Instant | undefined>;
  /** How many pending notices each session has; sessions without one are left out. */
  owed(): Promise<ReadonlyMap<SessionId, number>>;
  /** The same for one session. */
  owedTo(session: SessionId): Promise<number>;
  /** Which of these processes have a pending notice. */
  owing(processes: readonly ProcessId[]): Promise<ReadonlySet<ProcessId>>;
}

export interface NoticeWriter extends NoticeReader {
  /** Adds a notice. `duplicate` when its (process, kind, number) or its key is already there, whatever else differs. */
  admit(notice: NoticeRecord): Promise<'admitted' | 'duplicate'>;
  /** False when there is no such notice. */
  update(id: NoticeId, standing: Standing): Promise<boolean>;
}

/** An entry before it has its number. */
export type NewEntry = { readonly turn?: TurnId; readonly at: Instant; readonly body: EntryBody };

export interface JournalReader {
  /** Entries after a number, of all sessions or of one, oldest first. */
  after(seq: number, limit: number, session?: SessionId): Promise<readonly Entry[]>;
  /** The last entries of a session before one number and after another, oldest first. */
  before(session: SessionId, seq: number, limit: number, after?: number): Promise<readonly Entry[]>;
}

export interface JournalWriter extends JournalReader {
  /** In the order given. */
  append(session: SessionId, entries: readonly NewEntry[]): Promise<readonly Entry[]>;
}

/** A person's message. `state` says what became of it; only `waiting` is not final. */
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
  /** In the order they came. */
  waiting(session: SessionId): Promise<readonly MessageRecord[]>;
}

export interface MessageWriter extends MessageReader {
  /** `duplicate` when the id, or the key in its session, is taken; then nothing changes. */
  insert(message: MessageRecord): Promise<'inserted' | 'duplicate'>;
  update(id: MessageId, change: Partial<Pick<MessageRecord, 'state' | 'text' | 'mode'>>): Promise<boolean>;
}

/** Single JSON values by name, for what exists once: the breaker, the browsers that are signed in. */
export interface ValueReader {
  get(name: string): Promise<unknown>;
}

export interface ValueWriter extends ValueReader {
  put(name: string, value: unknown): Promise<void>;
}

export interface Readers {
  readonly processes: ProcessReader;
  readonly sessions: SessionReader;
  readonly notices: NoticeReader;
  readonly journal: JournalReader;
  readonly messages: MessageReader;
  readonly values: ValueReader;
}

export interface Transaction extends Readers {
  readonly processes: ProcessWriter;
  readonly sessions: SessionWriter;
  readonly notices: NoticeWriter;
  readonly journal: JournalWriter;
  readonly messages: MessageWriter;
  readonly values: ValueWriter;
}

/** `power cut` is the default. `crash` survives the host but perhaps not the machine: for facts that can be found again. */
export type Durability = 'power cut' | 'crash';

export interface Store extends Readers {
  /** The last number taken by a session, notice or entry; 0 before the first. */
  head(): Promise<number>;

  /** Runs the work, then commits. If the work throws, it is undone and `transact` throws the same. */
  transact<Result>(work: (transaction: Transaction) => Promise<Result>, durability?: Durability): Promise<Result>;

  /** Reads everything once and returns what is damaged; empty when nothing is. */
  check(): Promise<readonly string[]>;

  close(): Promise<void>;
}

/** The store is locked by another program, out of room or damaged. The message says which, and what to do. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}
