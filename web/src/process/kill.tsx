import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { KillAnswer, ProcessView } from 'rouse/contract/process';
import { endInWords, printable } from 'rouse/contract/display';
import { Icon } from '../look/icon';
import { attempt, host } from '../state/host';
import { showMessage } from '../state/messages';
import { processes } from '../state/processes';

/** Whether the signal choice is open. The first click only opens it; one click never ends a process. */
export const killing = signal(false);

const SIGNALS = [
  ['SIGTERM', 'ask it to end, then SIGKILL'],
  ['SIGINT', 'like Ctrl+C'],
  ['SIGHUP', 'like closing its terminal'],
  ['SIGQUIT', 'with a core dump'],
  ['SIGKILL', 'immediately'],
  ['SIGSTOP', 'pause it'],
  ['SIGCONT', 'continue it'],
  ['SIGUSR1', ''],
  ['SIGUSR2', ''],
] as const;

export const KillButton = () => (
  <button
    class="button danger"
    aria-expanded={killing.value}
    title="Kill (X)"
    onClick={() => (killing.value = !killing.value)}
  >
    <Icon name="stop" /> Kill …
  </button>
);

/** The second step: which signal, and the button that sends it. */
export function KillChoice({ process }: { readonly process: ProcessView }) {
  const chosen = useSignal<string>('SIGTERM');
  const survivors = useSignal<KillAnswer['survivors']>([]);
  useEffect(() => () => void (killing.value = false), []);
  const kill = async (): Promise<void> => {
    killing.value = false;
    const keep = processes.asking(process.id);
    const answer = await attempt(() => host.kill(process.id, chosen.value));
    if (!answer) return;
    keep(answer.process);
    survivors.value = answer.survivors;
    showMessage({ tone: answer.survivors.length > 0 ? 'trouble' : 'good', text: outcomeInWords(answer, chosen.value) });
  };
  return (
    <>
      {killing.value && (
        <form
          class="kill-choice"
          aria-label="Kill"
          onSubmit={(event) => {
            event.preventDefault();
            void kill();
          }}
          onKeyDown={({ key }) => void (key === 'Escape' && (killing.value = false))}
        >
          <select
            class="field"
            aria-label="Signal"
            value={chosen.value}
            onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}
          >
            {SIGNALS.map(([name, what]) => (
              <option key={name} value={name}>
                {what ? `${name}, ${what}` : name}
              </option>
            ))}
          </select>
          <button class="button danger" ref={focusOnce}>
            Send {chosen.value}
          </button>
          <button type="button" class="button quiet" onClick={() => (killing.value = false)}>
            Cancel
          </button>
        </form>
      )}
      {survivors.value.length > 0 && (
        <ul class="survivors trouble-text small" role="alert" aria-label="Survivors">
          {survivors.value.map(({ pid, command, why }) => (
            <li key={pid} class="one-line">
              Still running: {pid} <code>{printable(command)}</code>, {why}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const focusOnce = (button: HTMLButtonElement | null): void => {
  if (button && !button.dataset['focused']) {
    button.dataset['focused'] = 'true';
    button.focus();
  }
};

function outcomeInWords({ outcome, process, survivors }: KillAnswer, signal: string): string {
  if (survivors.length > 0) return `${survivors.length} in its process tree did not end.`;
  switch (outcome) {
    case 'ended':
      return process.end ? `Ended: ${endInWords(process.end)}.` : 'Ended.';
    case 'already-ended':
      return process.end ? `It had already ended: ${endInWords(process.end)}.` : 'It had already ended.';
    case 'signalled':
      return `${signal} was sent.`;
  }
}
