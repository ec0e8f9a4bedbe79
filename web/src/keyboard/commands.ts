/**
 * All commands of the keyboard and the palette; each view registers its own. A key is written as the browser
 * names it, with modifiers first: `k`, `?`, `mod+k`, `shift+mod+p`; `mod` is ⌘ on a Mac and Ctrl elsewhere.
 */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export type Command = {
  readonly id: string;
  readonly title: string;
  /** Its group in the list of keys. */
  readonly group: 'Everywhere' | 'Sessions' | 'Conversation' | 'Processes';
  readonly keys?: string;
  /** Also works while a text field has the focus. */
  readonly whileTyping?: boolean;
  /** Not offered when this is false. */
  readonly when?: () => boolean;
  readonly run: () => void;
};

export const commands = signal<readonly Command[]>([]);

/** Registers commands; the returned function removes them. */
export function offer(offered: readonly Command[]): () => void {
  commands.value = [...commands.value, ...offered];
  return () => (commands.value = commands.value.filter((command) => !offered.includes(command)));
}

/** Registers commands while the component is mounted. The list is read once, when it mounts. */
export function useCommands(offered: () => readonly Command[]): void {
  useEffect(() => offer(offered()), []);
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function pressed(event: KeyboardEvent): string {
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const other = isMac ? event.ctrlKey : event.metaKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // Shift is part of a character such as `?`; it counts only with letters and named keys.
  const shift = event.shiftKey && (event.key.length > 1 || /[a-z]/i.test(event.key));
  return [shift && 'shift', other && 'other', event.altKey && 'alt', mod && 'mod', key].filter(Boolean).join('+');
}

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], .xterm') !== null;

export function listenForKeys(): () => void {
  const press = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
    const keys = pressed(event);
    const command = commands.value.find(
      (offered) =>
        offered.keys === keys && (offered.whileTyping || !typing(event.target)) && (offered.when?.() ?? true),
    );
    if (!command) return;
    event.preventDefault();
    command.run();
  };
  addEventListener('keydown', press);
  return () => removeEventListener('keydown', press);
}

const SIGNS: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  shift: 'Shift',
  alt: isMac ? '⌥' : 'Alt',
  Escape: 'Esc',
  Enter: 'Enter',
  ArrowUp: '↑',
  ArrowDown: '↓',
};

/** The labels of the keys. */
export const keyNames = (keys: string): readonly string[] =>
  keys.split('+').map((key) => SIGNS[key] ?? (key.length === 1 ? key.toUpperCase() : key));
