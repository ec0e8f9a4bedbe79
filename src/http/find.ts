/** Finds what a typed id means: whole, shortened, with or without its prefix. */
import type { NoticeId, SessionId } from '../contract/ids.js';
import { isRefusal, refuse, type Refusal } from '../contract/refusal.js';
import { beginningOf, meant, NOTICE, PROCESS, SESSION, type Naming } from '../domain/process/naming.js';
import type { Supervisor } from '../runtime/process/supervisor.js';
import type { NoticeRecord, Numbered, ProcessRecord, SessionRecord, Store } from '../ports/store.js';

/** For an id that a request may leave out. */
export const ifGiven = async <Given, Found>(
  given: Given | undefined,
  find: (given: Given) => Promise<Found>,
): Promise<Found | undefined> => (given === undefined ? undefined : find(given));

/** Enough to say that a beginning is ambiguous, and to name some. */
const CANDIDATES = 11;

type Named<Id, Record> = {
  readonly beginningWith: (beginning: string, limit: number) => Promise<readonly Id[]>;
  readonly get: (id: Id) => Promise<Record | undefined>;
};

async function found<Id extends string, Record>(
  typed: string,
  of: Naming,
  { beginningWith, get }: Named<Id, Record>,
): Promise<Record | Refusal> {
  const id = meant(typed, of, await beginningWith(beginningOf(typed, of), CANDIDATES));
  if (isRefusal(id)) return id;
  return (await get(id)) ?? refuse('not-found', `The ${of.one} ${id} has just been forgotten.`);
}

export const findProcess = (store: Store, supervisor: Supervisor, typed: string): Promise<ProcessRecord | Refusal> =>
  found(typed, PROCESS, {
    beginningWith: (beginning, limit) => store.processes.startingWith(beginning, limit),
    get: (id) => supervisor.get(id),
  });

export const findSession = ({ sessions }: Store, typed: string): Promise<Numbered<SessionRecord> | Refusal> =>
  found<SessionId, Numbered<SessionRecord>>(typed, SESSION, {
    beginningWith: (beginning, limit) => sessions.startingWith(beginning, limit),
    get: (id) => sessions.get(id),
  });

export const findNotice = ({ notices }: Store, typed: string): Promise<Numbered<NoticeRecord> | Refusal> =>
  found<NoticeId, Numbered<NoticeRecord>>(typed, NOTICE, {
    beginningWith: (beginning, limit) => notices.startingWith(beginning, limit),
    get: (id) => notices.get(id),
  });
