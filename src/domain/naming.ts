/** Finding the one process that a person means. */
import type { ProcessId } from '../contract/ids.js';
import type { Refusal } from '../contract/refusal.js';
import { printable } from './text.js';

/** `proc_` may be left out. A whole id is found even where it is also the beginning of another. */
export function meant(typed: string, candidates: readonly ProcessId[]): ProcessId | Refusal {
  const beginning = typed.startsWith('proc_') ? typed : `proc_${typed}`;
  const found = candidates.filter((id) => id.startsWith(beginning));
  const exact = found.find((id) => id === beginning) ?? (found.length === 1 ? found[0] : undefined);
  if (exact) return exact;
  const shown = printable(typed).slice(0, 60);
  if (found.length === 0)
    return { refused: 'not-found', why: `There is no process "${shown}". "rouse ps -a" lists them.` };
  return {
    refused: 'ambiguous',
    why: `"${shown}" could be any of ${found.length} processes: type more of the id.`,
    candidates: found.slice(0, 10),
  };
}
