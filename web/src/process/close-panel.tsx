import { panelShown } from '../state/panes';
import { Icon } from '../look/icon';
import { go, route } from '../state/route';

/** Needed where the panel covers the conversation. */
export function ClosePanel() {
  if (route.value.kind === 'processes') return null;
  return (
    <button class="button quiet icon" aria-label="Close the processes" title="Close (P)" onClick={closePanel}>
      <Icon name="close" />
    </button>
  );
}

function closePanel(): void {
  panelShown.value = false;
  const now = route.value;
  if (now.kind === 'session') go({ kind: 'session', session: now.session });
}
