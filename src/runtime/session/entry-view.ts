/** An entry as people and programs see it. */
import type { Entry, EntryView } from '../../contract/journal.js';

export function entryView(entry: Entry): EntryView {
  return { ...entry, at: new Date(entry.at).toISOString() };
}
