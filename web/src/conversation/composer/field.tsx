/** The text field: grows with its text and sends on Enter. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Mode } from 'rouse/contract/journal';
import { draftOf, write, type DraftName } from './draft';
import { recalled } from './history';

const HIGHEST_PX = 232;

/** On a touch screen Enter makes a new line, and only the button sends. */
const byFinger = matchMedia('(pointer: coarse)').matches;
const isWide = matchMedia('(min-width: 760px)').matches;

export function Field({
  name,
  placeholder,
  send,
  take,
}: {
  readonly name: DraftName;
  readonly placeholder: string;
  readonly send: (mode?: Mode) => void;
  readonly take: (files: readonly File[]) => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = draftOf(name).value;
  useLayoutEffect(() => {
    if (isWide && !byFinger && !document.querySelector('dialog[open]')) field.current?.focus();
  }, [name]);
  useLayoutEffect(() => fit(field.current), [draft]);

  const press = (event: KeyboardEvent): void => {
    // Enter that confirms an input method's choice does not send.
    if (event.isComposing || event.keyCode === COMPOSING) return;
    if (event.key === 'Enter' && !event.shiftKey && !byFinger) {
      event.preventDefault();
      return send(event.altKey ? 'steer' : undefined);
    }
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') recall(event);
  };
  const recall = (event: KeyboardEvent): void => {
    const words = recalled(draft, event.key === 'ArrowUp' ? -1 : 1);
    if (words === undefined || event.shiftKey) return;
    event.preventDefault();
    write(name, words);
  };
  return (
    <textarea
      id="composer"
      ref={field}
      class="composer-field"
      aria-label="Message"
      rows={1}
      placeholder={placeholder}
      value={draft}
      onInput={({ currentTarget }) => write(name, currentTarget.value)}
      onKeyDown={press}
      onPaste={(event) => {
        const files = [...(event.clipboardData?.files ?? [])];
        if (files.length === 0) return;
        event.preventDefault();
        take(files);
      }}
    />
  );
}

/** Some browsers report composing only by this key code. */
const COMPOSING = 229;

function fit(field: HTMLTextAreaElement | null): void {
  if (!field) return;
  field.style.height = 'auto';
  field.style.height = `${Math.min(HIGHEST_PX, field.scrollHeight)}px`;
}
