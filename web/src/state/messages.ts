/** Short messages at the edge of the page. */
import { signal } from '@preact/signals';

export type Message = { readonly id: number; readonly tone: 'good' | 'trouble'; readonly text: string };

const SHOWN_MS = 7_000;

export const messages = signal<readonly Message[]>([]);

let last = 0;

export function showMessage(message: Omit<Message, 'id'>): void {
  const id = ++last;
  messages.value = [...messages.value.slice(-2), { ...message, id }];
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export function dismiss(id: number): void {
  messages.value = messages.value.filter((message) => message.id !== id);
}
