/** What was typed and not sent, kept for each session: it survives a reload, a switch, a closed tab. */
import { signal, type Signal } from '@preact/signals';
import type { SessionId } from 'rouse/contract/ids';
import { saveLocally } from './local-storage';

/** Of a session, or of one that is not begun yet. */
export type DraftName = SessionId | 'new';

const drafts = new Map<DraftName, Signal<string>>();

const place = (name: DraftName): string => `rouse draft ${name}`;

export function draftOf(name: DraftName): Signal<string> {
  const known = drafts.get(name) ?? signal(localStorage.getItem(place(name)) ?? '');
  drafts.set(name, known);
  return known;
}

/** Stored before anything else can happen. */
export function write(name: DraftName, text: string): void {
  draftOf(name).value = text;
  if (text === '') localStorage.removeItem(place(name));
  else saveLocally(place(name), text);
}

/** Puts words where somebody is writing, set apart from what stands there. */
export function insert(name: DraftName, words: string): void {
  const before = draftOf(name).value;
  write(name, `${before}${before === '' || /\s$/.test(before) ? '' : ' '}${words} `);
}
