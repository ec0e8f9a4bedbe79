import type { AgentName } from 'rouse/contract/session';
import { models } from '../../state/models';

/** The session's own model; without one, the host's. */
export function ModelPicker({
  model,
  choose,
}: {
  readonly model: string | undefined;
  readonly choose: (model: string | undefined) => void;
}) {
  const known = models.value;
  if (!known) return null;
  const providers = [...new Set(known.models.map(({ provider }) => provider))];
  const strange = model !== undefined && !known.models.some(({ id }) => id === model);
  return (
    <label class="picker">
      <span class="unseen">Model</span>
      <select
        value={model ?? ''}
        onChange={({ currentTarget }) => choose(currentTarget.value === '' ? undefined : currentTarget.value)}
      >
        <option value="">{known.default} (default)</option>
        {strange && <option value={model}>{model}</option>}
        {providers.map((provider) => (
          <optgroup key={provider} label={provider}>
            {known.models
              .filter((offered) => offered.provider === provider)
              .map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

export const AgentPicker = ({
  agent,
  choose,
}: {
  readonly agent: AgentName;
  readonly choose: (agent: AgentName) => void;
}) => (
  <label class="picker">
    <span class="unseen">Agent</span>
    <select value={agent} onChange={({ currentTarget }) => choose(currentTarget.value === 'none' ? 'none' : 'rouse')}>
      <option value="rouse">Rouse agent</option>
      <option value="none">No agent</option>
    </select>
  </label>
);
