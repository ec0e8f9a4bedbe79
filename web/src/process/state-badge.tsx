import type { ProcessView } from 'rouse/contract/process';
import { standingOf } from './standing';

export function StateBadge({ process }: { readonly process: ProcessView }) {
  const { words, tone, moves, more } = standingOf(process);
  return (
    <span class={`badge ${tone} process-state`} title={more}>
      {moves && <span class="pulse" />}
      <span class="one-line">{words}</span>
      {more && <span class="unseen"> ({more})</span>}
    </span>
  );
}
