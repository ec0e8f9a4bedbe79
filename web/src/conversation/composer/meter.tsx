/** Tokens of the last turn, and how much of the model's window they used. */
import { conversation } from '../../state/conversation';
import { windowOf } from '../../state/models';
import { number, usageInWords } from '../usage';

export function Meter({ model }: { readonly model: string | undefined }) {
  const shown = conversation.value;
  const last =
    shown.kind === 'shown' ? shown.screen.entries.findLast((entry) => entry.kind === 'turnEnded' && entry.usage) : null;
  const usage = last?.kind === 'turnEnded' ? last.usage : undefined;
  const words = usageInWords(usage);
  if (!usage || words.length === 0) return null;
  const window = windowOf(model);
  return (
    <span class="meter" title={`Last turn: ${words.join(', ')}`}>
      {window && <Filled part={usage.inputTokens / window} of={window} />}
      <span class="one-line">{words.join(' · ')}</span>
    </span>
  );
}

const Filled = ({ part, of }: { readonly part: number; readonly of: number }) => (
  <>
    <meter
      aria-label="Context used"
      min={0}
      max={1}
      high={0.8}
      value={Math.min(1, part)}
      title={`${Math.round(part * 100)}% of ${number(of)} tokens`}
    />
    <span>{Math.round(part * 100)}%</span>
  </>
);
