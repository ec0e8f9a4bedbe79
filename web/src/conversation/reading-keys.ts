/**
 * The keys by which one reads. The browser's own way to a far place is a movement that takes a while, and every row that
 * is measured on the way would stop it there: here it is one step.
 */
type Step = 'start' | 'end' | { readonly pages: number };

const STEPS: Readonly<Record<string, Step>> = {
  Home: 'start',
  End: 'end',
  PageUp: { pages: -0.9 },
  PageDown: { pages: 0.9 },
};

/** Nothing where the key is another's: of something within the list, or together with a modifier. */
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
