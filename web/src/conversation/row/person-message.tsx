import type { EntryView } from 'rouse/contract/journal';
import { Clock } from '../clock';
import { safeText } from '../../look/safe-text';
import { PersonText } from '../markdown/person-text';

export const PersonMessage = ({ entry }: { readonly entry: Extract<EntryView, { kind: 'message' }> }) => (
  <div class="person">
    <header class="row-head">
      <strong>{entry.from === 'person' ? 'You' : safeText(entry.from)}</strong>
      {entry.mode !== 'queue' && <span class="badge">{entry.mode}</span>}
      <Clock at={entry.at} />
    </header>
    <PersonText text={entry.text} name={`message ${entry.seq}`} />
  </div>
);
