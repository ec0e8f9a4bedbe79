import { signal } from '@preact/signals';
import type { Mode } from 'rouse/contract/journal';

/** What becomes of a message that is sent while a turn runs; as last chosen. */
export const mode = signal<Mode>('queue');

const MODES: readonly { readonly mode: Mode; readonly words: string; readonly meaning: string }[] = [
  { mode: 'queue', words: 'Queue', meaning: 'It waits until the turn is over' },
  { mode: 'steer', words: 'Steer', meaning: 'The agent is told at its next step (Alt+Enter)' },
  { mode: 'interrupt', words: 'Interrupt', meaning: 'It ends the turn and begins another' },
];

export const ModeChoice = () => (
  <fieldset class="modes">
    <legend class="unseen">While the turn runs, a message</legend>
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
