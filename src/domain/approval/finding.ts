/** What judging a command came to. A doubt is about what cannot be read; a danger was plainly seen. */
export type Finding = { readonly why: string; readonly kind: 'danger' | 'doubt' };

export const danger = (why: string): Finding => ({ kind: 'danger', why });
export const doubt = (why: string): Finding => ({ kind: 'doubt', why });

/** The first danger, or else the first doubt. */
export function worst<Item>(items: Iterable<Item>, find: (item: Item) => Finding | undefined): Finding | undefined {
  let doubted: Finding | undefined;
  for (const item of items) {
    const found = find(item);
    if (found?.kind === 'danger') return found;
    doubted ??= found;
  }
  return doubted;
}
