/** A window over the page: the browser's own, so that keys, focus and what lies behind it are as everywhere. */
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
  // Within the key press that opened it: what is typed next belongs to the window already.
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
