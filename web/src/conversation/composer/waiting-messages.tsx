/** Messages that wait for the turn to end; they can be edited and withdrawn. */
import { useSignal } from '@preact/signals';
import type { WaitingMessage } from 'rouse/contract/message';
import type { SessionId } from 'rouse/contract/ids';
import { Mode } from 'rouse/contract/journal';
import { printable, shortened } from 'rouse/contract/display';
import { Icon } from '../../look/icon';
import { conversation, readAgain } from '../../state/conversation';
import { attempt, host } from '../../state/host';
import { focusComposer } from '../conversation-commands';

export function WaitingMessages({ session }: { readonly session: SessionId }) {
  const shown = conversation.value;
  if (shown.kind !== 'shown') return null;
  // The list is read separately from the journal and may be older: leave out messages that the journal has.
  const isSaid = ({ id }: WaitingMessage): boolean =>
    shown.screen.entries.some((entry) => entry.kind === 'message' && entry.message === id);
  const waiting = shown.waiting.filter((message) => message.state === 'waiting' && !isSaid(message));
  if (waiting.length === 0) return null;
  return (
    <ul class="waiting" aria-label="Waiting messages">
      {waiting.map((message) => (
        <WaitingRow key={message.id} session={session} message={message} />
      ))}
    </ul>
  );
}

function WaitingRow({ session, message }: { readonly session: SessionId; readonly message: WaitingMessage }) {
  const editing = useSignal(false);
  if (editing.value) return <Editing session={session} message={message} done={() => (editing.value = false)} />;
  return (
    <li>
      <span class="badge">{message.mode}</span>
      <span class="grow one-line">{shortened(printable(message.text.slice(0, 2_000)), 400)}</span>
      <button class="button quiet icon" aria-label="Edit the message" onClick={() => (editing.value = true)}>
        <Icon name="edit" />
      </button>
      <button class="button quiet icon" aria-label="Withdraw the message" onClick={() => void withdraw()}>
        <Icon name="close" />
      </button>
    </li>
  );

  async function withdraw(): Promise<void> {
    focusComposer();
    await attempt(() => host.withdraw(session, message.id));
    readAgain();
  }
}

function Editing({
  session,
  message,
  done,
}: {
  readonly session: SessionId;
  readonly message: WaitingMessage;
  readonly done: () => void;
}) {
  const text = useSignal(message.text);
  const mode = useSignal(message.mode);
  const save = async (): Promise<void> => {
    if (text.value.trim() === '') return;
    await attempt(() => host.changeMessage(session, message.id, { text: text.value, mode: mode.value }));
    readAgain();
    done();
    focusComposer();
  };
  return (
    <li class="editing">
      <textarea
        class="field"
        aria-label="Text of the waiting message"
        rows={3}
        ref={(field) => field?.focus()}
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') done();
        }}
      />
      <label class="picker">
        <span class="unseen">Mode of the waiting message</span>
        <select value={mode.value} onChange={({ currentTarget }) => (mode.value = Mode.parse(currentTarget.value))}>
          {Mode.options.map((offered) => (
            <option key={offered} value={offered}>
              {offered}
            </option>
          ))}
        </select>
      </label>
      <button class="button" onClick={() => void save()}>
        Save
      </button>
      <button class="button quiet" onClick={done}>
        Cancel
      </button>
    </li>
  );
}
