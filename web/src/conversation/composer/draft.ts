/** Unsent text per session; it survives a reload and a closed tab. */
import { signal, type Signal } from '@preact/signals';
import type { SessionId } from 'rouse/contract/ids';
import { saveLocally } from './local-storage';

/** A session, or the one that is about to start. */
export type DraftName = SessionId | 'new';

const drafts = new Map<DraftName, Signal<string>>();

const place = (name: DraftName): string => `rouse draft ${name}`;

export function draftOf(name: DraftName): Signal<string> {
  const known = drafts.get(name) ?? signal(localStorage.getItem(place(name)) ?? '');
  drafts.set(name, known);
  return known;
}

/** Stores every change at once. */
export function write(name: DraftName, text: string): void {
  draftOf(name).value = text;
  if (text === '') localStorage.removeItem(place(name));
  else saveLocally(place(name), text);
}

/** Appends text to a draft, separated by a space. */
export function insert(name: DraftName, words: string): void {
  const before = draftOf(name).value;
  write(name, `${before}${before === '' || /\s$/.test(before) ? '' : ' '}${words} `);
}
