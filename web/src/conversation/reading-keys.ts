/**
 * Scroll keys. The browser's own smooth scrolling to a far position stops at every row that is measured on the way;
 * here it is one step.
 */
type Step = 'start' | 'end' | { readonly pages: number };

const STEPS: Readonly<Record<string, Step>> = {
  Home: 'start',
  End: 'end',
  PageUp: { pages: -0.9 },
  PageDown: { pages: 0.9 },
};

/** Undefined if the key belongs to an element inside the list, or comes with a modifier. */
export function stepOf({
  key,
  target,
  currentTarget,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
}: KeyboardEvent): Step | undefined {
  return target !== currentTarget || ctrlKey || metaKey || altKey || shiftKey ? undefined : STEPS[key];
}
