/** An entry as people and programs see it. */
import type { Entry, EntryView } from '../../contract/journal.js';
import { iso } from '../../ports/clock.js';

export function entryView(entry: Entry): EntryView {
  return { ...entry, at: iso(entry.at) };
}
