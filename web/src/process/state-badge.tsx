import type { ProcessView } from 'rouse/contract/process';
import { describeState } from './process-state';

export function StateBadge({ process }: { readonly process: ProcessView }) {
  const { words, by, tone, moves, more } = describeState(process);
  return (
    <span class={`badge ${tone} process-state`} title={more ?? (by && `${words} by ${by}`)}>
      {moves && <span class="pulse" />}
      <span class="one-line">
        {words}
        {by && <span class="process-by"> by {by}</span>}
      </span>
      {more && <span class="unseen"> ({more})</span>}
    </span>
  );
}
