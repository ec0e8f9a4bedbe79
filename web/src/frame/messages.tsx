import { Icon } from '../look/icon';
import { dismiss, messages } from '../state/messages';

export const Messages = () => (
  <ul class="messages" aria-live="polite">
    {messages.value.map(({ id, tone, text }) => (
      <li key={id} class={`message ${tone}`}>
        <span class="grow">{text}</span>
        <button class="button quiet icon" aria-label="Dismiss" onClick={() => dismiss(id)}>
          <Icon name="close" />
        </button>
      </li>
    ))}
  </ul>
);
