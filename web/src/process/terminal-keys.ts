/** Which keys go to the terminal and which to the page. */
import type { Terminal } from '@xterm/xterm';

type Wanted = { readonly pty: boolean; readonly leave: () => void };

/** True when the terminal should take the key. */
export const keyHandler =
  (terminal: Terminal, { pty, leave }: Wanted) =>
  (event: KeyboardEvent): boolean => {
    // The one key that leaves a terminal; all others go to the program.
    if (event.ctrlKey && (event.key === ']' || event.code === 'BracketRight')) {
      event.preventDefault();
      if (event.type === 'keydown') leave();
      return false;
    }
    if (pty) return !isClipboard(terminal, event);
    if (event.type === 'keydown' && scroll(terminal, event)) event.preventDefault();
    // Without input, leave all keys to the browser, so that Tab works.
    return false;
  };

/** The browser handles copy and paste. Ctrl+C copies a selection, and otherwise goes to the program. */
function isClipboard(terminal: Terminal, { ctrlKey, metaKey, altKey, key }: KeyboardEvent): boolean {
  if (altKey || !(ctrlKey || metaKey)) return false;
  const letter = key.toLowerCase();
  return letter === 'v' || (letter === 'c' && terminal.hasSelection());
}

function scroll(terminal: Terminal, { key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  switch (key) {
    case 'ArrowUp':
      terminal.scrollLines(-1);
      return true;
    case 'ArrowDown':
      terminal.scrollLines(1);
      return true;
    case 'PageUp':
      terminal.scrollPages(-1);
      return true;
    case 'PageDown':
      terminal.scrollPages(1);
      return true;
    case 'Home':
      terminal.scrollToTop();
      return true;
    case 'End':
      terminal.scrollToBottom();
      return true;
    default:
      return false;
  }
}
