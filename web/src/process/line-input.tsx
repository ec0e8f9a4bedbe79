import { useSignal } from '@preact/signals';
import type { ProcessView } from 'rouse/contract/process';
import { attempt, host } from '../state/host';

/** An input line for a process without a terminal. Sent with a newline; a refused line stays in the field. */
export function LineInput({ process }: { readonly process: ProcessView }) {
  const line = useSignal('');
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    const text = line.value;
    line.value = '';
    const sent = await attempt(() => host.write(process.id, text, { submit: true }));
    if (!sent && line.value === '') line.value = text;
  };
  return (
    <form class="line-input" onSubmit={(event) => void send(event)}>
      <input
        class="field mono grow"
        aria-label="Input line"
        placeholder={process.waitingForInput ? 'The process waits for input' : 'Input line'}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={line.value}
        onInput={({ currentTarget }) => (line.value = currentTarget.value)}
      />
      <button class="button">Send line</button>
    </form>
  );
}
