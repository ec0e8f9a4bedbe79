/** Beyond the prefix; enough for a person to tell two apart at a glance. */
const SIGNS = 6;

/** The shortest beginning of an id that no other has; of neighbours in the alphabet, since nobody else is nearer. */
export function shortened(ids: readonly string[], signs = SIGNS): (id: string) => string {
  const sorted = [...new Set(ids)].sort();
  const lengths = new Map<string, number>(
    sorted.map((id, index) => [id, 1 + Math.max(common(id, sorted[index - 1]), common(id, sorted[index + 1]))]),
  );
  return (id) => id.slice(0, Math.max(id.indexOf('_') + 1 + signs, lengths.get(id) ?? id.length));
}

function common(one: string, other = ''): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}
