/** The last line of a turn: running, or how it ended, with duration and tokens. */
import { durationInWords } from 'rouse/contract/display';
import { now } from '../../look/ago';
import { currentSession } from '../../state/sessions';
import { safeText } from '../../look/safe-text';
import type { RowOf, TurnState } from '../row';
import { usageInWords } from '../usage';

export const TurnFooter = ({ row }: { readonly row: RowOf<'turn'> }) => (
  <p class="turn-foot">
    <Words row={row} />
  </p>
);

function Words({ row: { state, beganAt, model } }: { readonly row: RowOf<'turn'> }) {
  switch (state.kind) {
    case 'running':
      return (
        <span class="live-text">
          <span class="pulse" /> {currentSession.value?.state === 'waiting' ? 'Waiting for your answer' : 'Working'}
          {beganAt && ` · ${durationInWords(now.value - Date.parse(beganAt))}`}
        </span>
      );
    case 'cutOff':
      return <span>This turn was cut off.</span>;
    case 'ended':
      return <Ended state={state} model={model} />;
  }
}

function Ended({
  state: { reason, why, usage, ms },
  model,
}: {
  readonly state: Extract<TurnState, { kind: 'ended' }>;
  readonly model: string | undefined;
}) {
  const facts = [ms !== undefined && durationInWords(ms), ...usageInWords(usage), model].filter(Boolean);
  const said = [ENDS[reason], why && safeText(why)].filter(Boolean).join(': ');
  return (
    <>
      {said && <span class={TONES[reason]}>{said}</span>}
      <span>{facts.join(' · ')}</span>
    </>
  );
}

const ENDS = {
  finished: '',
  failed: 'The turn failed',
  stopped: 'Stopped by a person',
  interrupted: 'Interrupted by a message',
  stepLimit: 'Rouse ended the turn',
  superseded: 'The session was reset or closed',
} as const;

const TONES = {
  finished: '',
  failed: 'trouble-text',
  stopped: 'accent-text',
  interrupted: 'accent-text',
  stepLimit: 'trouble-text',
  superseded: 'accent-text',
} as const;
