import { signal } from '@preact/signals';
import type { Mode } from 'rouse/contract/journal';

/** How a message is sent while a turn runs, as last chosen. */
export const mode = signal<Mode>('queue');

const MODES: readonly { readonly mode: Mode; readonly words: string; readonly meaning: string }[] = [
  { mode: 'queue', words: 'Queue', meaning: 'Waits until the turn ends' },
  { mode: 'steer', words: 'Steer', meaning: 'Reaches the agent at its next step (Alt+Enter)' },
  { mode: 'interrupt', words: 'Interrupt', meaning: 'Ends the turn and starts another' },
];

export const ModeChoice = () => (
  <fieldset class="modes">
    <legend class="unseen">Message mode during a turn</legend>
    {MODES.map(({ mode: offered, words, meaning }) => (
      <label key={offered} title={meaning}>
        <input
          type="radio"
          name="mode"
          class="unseen"
          value={offered}
          checked={mode.value === offered}
          onChange={() => (mode.value = offered)}
        />
        <span>{words}</span>
      </label>
    ))}
  </fieldset>
);
