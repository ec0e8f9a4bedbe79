/** Which keys a terminal takes for itself, and which it leaves to the page. */
import type { Terminal } from '@xterm/xterm';

type Wanted = { readonly pty: boolean; readonly leave: () => void };

/** True when the terminal should take the key. */
export const keyHandler =
  (terminal: Terminal, { pty, leave }: Wanted) =>
  (event: KeyboardEvent): boolean => {
    // The one key that leaves a terminal in which every other means something.
    if (event.ctrlKey && (event.key === ']' || event.code === 'BracketRight')) {
      event.preventDefault();
      if (event.type === 'keydown') leave();
      return false;
    }
    if (pty) return !isClipboard(terminal, event);
    if (event.type === 'keydown' && scroll(terminal, event)) event.preventDefault();
    // Nothing can be typed here, so nothing is kept from the browser: Tab goes on.
    return false;
  };

/** Copying and pasting are the browser's. Ctrl+C copies where something is selected, and is the program's elsewhere. */
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
