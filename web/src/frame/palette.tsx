import { useComputed, useSignal } from '@preact/signals';
import { Dialog } from '../look/dialog';
import { go } from '../state/route';
import { openSessions } from '../state/sessions';
import { commands, keyNames } from '../keyboard/commands';

type Choice = { readonly id: string; readonly title: string; readonly keys?: string; readonly run: () => void };

const SHOWN = 12;

export function Palette({ close }: { readonly close: () => void }) {
  const asked = useSignal('');
  const at = useSignal(0);
  const choices = useComputed(() => found(asked.value).slice(0, SHOWN));
  const choose = (choice: Choice | undefined): void => {
    if (!choice) return;
    close();
    choice.run();
  };
  const step = (by: number): void => {
    const { length } = choices.value;
    if (length > 0) at.value = (at.value + by + length) % length;
  };
  return (
    <Dialog label="Commands" close={close} class="palette">
      <input
        class="field"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-choices"
        aria-activedescendant={choices.value.length > 0 ? `choice-${at.value}` : undefined}
        aria-label="Search commands and sessions"
        placeholder="What do you want to do?"
        autofocus
        value={asked.value}
        onInput={({ currentTarget }) => {
          asked.value = currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') step(1);
          else if (event.key === 'ArrowUp') step(-1);
          else if (event.key === 'Enter') choose(choices.value[at.value]);
          else return;
          event.preventDefault();
        }}
      />
      <ul id="palette-choices" role="listbox" aria-label="Commands">
        {choices.value.map((choice, index) => (
          <li
            key={choice.id}
            id={`choice-${index}`}
            role="option"
            aria-selected={index === at.value}
            onMouseMove={() => (at.value = index)}
            onClick={() => choose(choice)}
          >
            <span class="grow one-line">{choice.title}</span>
            {choice.keys && keyNames(choice.keys).map((name) => <kbd key={name}>{name}</kbd>)}
          </li>
        ))}
      </ul>
      {choices.value.length === 0 && <p class="faint nothing">No command or session matches.</p>}
    </Dialog>
  );
}

/** Commands and sessions whose titles contain every typed word. */
function found(asked: string): readonly Choice[] {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  const offered = commands.value.filter(({ when }) => when?.() ?? true);
  const goTo = openSessions.value.map(({ id, title }) => ({
    id,
    title: `Go to ${title}`,
    run: () => go({ kind: 'session', session: id }),
  }));
  return [...offered, ...goTo].filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
}
