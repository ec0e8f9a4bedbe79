/** Finds what a typed id means: whole, shortened, with or without its prefix. */
import type { NoticeId, ProcessId, SessionId } from '../contract/ids.js';
import { isRefusal, refuse, type Refusal } from '../contract/refusal.js';
import { beginningOf, meant, NOTICE, PROCESS, SESSION, type Naming } from '../domain/process/naming.js';
import type { Supervisor } from '../runtime/process/supervisor.js';
import type { NoticeRecord, Numbered, ProcessRecord, SessionRecord, Store } from '../ports/store.js';

/** For an id that a request may leave out. */
export const ifGiven = async <Given, Found>(
  given: Given | undefined,
  find: (given: Given) => Promise<Found>,
): Promise<Found | undefined> => (given === undefined ? undefined : find(given));

/** Enough to report that a beginning is ambiguous, and to name some. */
const CANDIDATES = 11;

type Named<Id, Found> = {
  startingWith(beginning: string, limit: number): Promise<readonly Id[]>;
  get(id: Id): Promise<Found | undefined>;
};

async function find<Id extends string, Found>(
  typed: string,
  of: Naming,
  all: Named<Id, Found>,
): Promise<Found | Refusal> {
  const id = meant(typed, of, await all.startingWith(beginningOf(typed, of), CANDIDATES));
  if (isRefusal(id)) return id;
  return (await all.get(id)) ?? refuse('not-found', `The ${of.one} ${id} has just been forgotten.`);
}

export const findProcess = ({ processes }: Store, supervisor: Supervisor, typed: string) =>
  find<ProcessId, ProcessRecord>(typed, PROCESS, {
    startingWith: (beginning, limit) => processes.startingWith(beginning, limit),
    get: (id) => supervisor.get(id),
  });

export const findSession = ({ sessions }: Store, typed: string) =>
  find<SessionId, Numbered<SessionRecord>>(typed, SESSION, sessions);

export const findNotice = ({ notices }: Store, typed: string) =>
  find<NoticeId, Numbered<NoticeRecord>>(typed, NOTICE, notices);
