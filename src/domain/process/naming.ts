/** Finding the one process, session or notice that a person means. */
import type { Refusal } from '../../contract/refusal.js';
import { printable } from '../../contract/display.js';

/** What an id is of: how it begins, what one and many of them are called, and what lists them. */
export type Naming = {
  readonly prefix: string;
  readonly one: string;
  readonly many: string;
  readonly listedBy: string;
};

export const PROCESS: Naming = { prefix: 'proc_', one: 'process', many: 'processes', listedBy: 'rouse ps -a' };
export const SESSION: Naming = { prefix: 'ses_', one: 'session', many: 'sessions', listedBy: 'rouse sessions' };
export const NOTICE: Naming = { prefix: 'ntc_', one: 'notice', many: 'notices', listedBy: 'rouse notices' };

/** The prefix may be left out. */
export const beginningOf = (typed: string, { prefix }: Naming): string =>
  typed.startsWith(prefix) ? typed : `${prefix}${typed}`;

/** A whole id is found even where it is also the beginning of another. */
export function meant<Id extends string>(typed: string, of: Naming, candidates: readonly Id[]): Id | Refusal {
  const beginning = beginningOf(typed, of);
  const found = candidates.filter((id) => id.startsWith(beginning));
  const exact = found.find((id) => id === beginning) ?? (found.length === 1 ? found[0] : undefined);
  if (exact) return exact;
  const shown = printable(typed).slice(0, 60);
  if (found.length === 0)
    return { refused: 'not-found', why: `There is no ${of.one} "${shown}". "${of.listedBy}" lists them.` };
  return {
    refused: 'ambiguous',
    why: `"${shown}" could be any of ${found.length} ${of.many}: type more of the id.`,
    candidates: found.slice(0, 10),
  };
}
