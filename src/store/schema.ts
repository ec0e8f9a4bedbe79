/** The tables, for every database alike: text, whole numbers, and JSON as text. */
import type { Generated } from 'kysely';

export type ProcessTable = {
  id: string;
  seq: number;
  session: string | null;
  name: string | null;
  command: string;
  cwd: string;
  place: string;
  pty: number;
  notify_on_complete: number;
  watch_patterns: string;
  timeout_ms: number | null;
  started_at: number;
  state: string;
  ended_at: number | null;
  lifecycle: string;
  released_from: number;
  released_to: number;
  damage: string | null;
  output_bytes: number | null;
  watch: string | null;
  generation: number | null;
};

export type SessionTable = {
  id: string;
  seq: number;
  title: string;
  agent: string;
  model: string | null;
  key: string | null;
  people: string;
  wakes: string;
  webhook: string | null;
  mailbox: string;
  waiting: number;
  turn: string | null;
  context_from: number;
  seen_seq: number;
  unread: number;
  created_at: number;
  updated_at: number;
  closed_at: number | null;
};

export type NoticeTable = {
  id: string;
  /** Of its last change, and of its admission. */
  seq: number;
  admitted: number;
  kind: string;
  session: string;
  process: string | null;
  number: number | null;
  key: string | null;
  state: string;
  cause: string;
  at: number;
  standing: string;
  due_at: number | null;
};

export type EntryTable = {
  seq: number;
  session: string;
  turn: string | null;
  at: number;
  body: string;
  /** Whether it is for a person to read. */
  speaks: number;
};

export type MessageTable = {
  id: string;
  seq: number;
  session: string;
  text: string;
  mode: string;
  sender: string;
  key: string | null;
  at: number;
  state: string;
};

export type KeptTable = { name: string; state: string };

/** One row a series of numbers. Raising it locks it until the commit, which is what keeps numbers in commit order. */
export type CounterTable = { name: string; value: Generated<number> };

export type Schema = {
  processes: ProcessTable;
  sessions: SessionTable;
  notices: NoticeTable;
  entries: EntryTable;
  messages: MessageTable;
  kept: KeptTable;
  counters: CounterTable;
};
