/** A modal dialog. Uses the browser's own element, which handles keys and focus. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export function Dialog({
  label,
  close,
  children,
  class: name,
}: {
  readonly label: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
  readonly class?: string;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Open it during the key press, so that the next key goes to the dialog.
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => before instanceof HTMLElement && before.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={name}
      aria-label={label}
      onClose={close}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      {children}
    </dialog>
  );
}
