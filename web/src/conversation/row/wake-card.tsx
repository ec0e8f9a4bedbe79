/** What woke the agent: facts from Rouse, not written by a person. */
import { useSignal, type Signal } from '@preact/signals';
import type { WakeCause } from 'rouse/contract/journal';
import { reasonOf } from '../../state/host';
import { explain } from '../../state/why';
import { Icon } from '../../look/icon';
import { Clock } from '../clock';
import { safeText } from '../../look/safe-text';
import type { RowOf } from '../row';
import { CauseView } from './cause-view';

export function WakeCard({ row }: { readonly row: RowOf<'wake'> }) {
  const { causes, heldBack = 0, midTurn = false, at } = row.entry;
  const why = useSignal<readonly string[] | undefined>(undefined);
  return (
    <section class="wake">
      <header class="row-head">
        <Icon name="wake" />
        <strong>{headline(causes.length, midTurn)}</strong>
        <span class="small soft">by Rouse, not by a person</span>
        <Clock at={at} />
      </header>
      {heldBack > 0 && (
        <p class="small">
          Digest: {heldBack} of these waited because there were too many wakes in a row without a person.
        </p>
      )}
      <ol class="causes">
        {causes.map((cause) => (
          <CauseView key={cause.notice} cause={cause} />
        ))}
      </ol>
      {why.value ? (
        <ul class="why small" aria-label="Why the agent was woken">
          {why.value.map((sentence) => (
            <li key={sentence}>{safeText(sentence)}</li>
          ))}
        </ul>
      ) : (
        <button class="button quiet small why-button" onClick={() => void ask(causes, why)}>
          Why was I woken?
        </button>
      )}
    </section>
  );
}

function headline(causes: number, midTurn: boolean): string {
  if (midTurn) return causes === 1 ? 'Delivered during the turn' : `${causes} notices delivered during the turn`;
  return causes === 1 ? 'The agent was woken' : `The agent was woken by ${causes} notices`;
}

async function ask(causes: readonly WakeCause[], why: Signal<readonly string[] | undefined>): Promise<void> {
  const told = await Promise.all(
    causes.map(({ notice }) => explain(notice).catch((error: unknown) => [reasonOf(error)])),
  );
  why.value = [...new Set(told.flat())];
}
