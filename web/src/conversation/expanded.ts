/** Which rows are expanded. Kept outside the rows, because the list unmounts rows that are not visible. */
import { signal } from '@preact/signals';

const opened = signal<ReadonlySet<string>>(new Set());

export const isExpanded = (name: string): boolean => opened.value.has(name);

export function toggle(name: string): void {
  const next = new Set(opened.value);
  if (!next.delete(name)) next.add(name);
  opened.value = next;
}
