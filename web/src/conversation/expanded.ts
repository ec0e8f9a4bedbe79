/** Which rows stand open. Kept outside of them: a row that is not seen is not there, and comes back as it was. */
import { signal } from '@preact/signals';

const opened = signal<ReadonlySet<string>>(new Set());

export const isExpanded = (name: string): boolean => opened.value.has(name);

export function toggle(name: string): void {
  const next = new Set(opened.value);
  if (!next.delete(name)) next.add(name);
  opened.value = next;
}
