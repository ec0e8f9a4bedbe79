/** Reads a block as a stranger would who knows nothing but fences; a line inside that lacks its bar is an escape. */
export function parsed(text: string): { ours: string[]; theirs: string[][] } {
  const ours: string[] = [];
  const theirs: string[][] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    if (fence === undefined && /^`{3,}$/.test(line)) {
      fence = line;
      theirs.push([]);
    } else if (fence === undefined) ours.push(line);
    else if (/^`{3,}$/.test(line) && line.length >= fence.length) fence = undefined;
    else if (line.startsWith('| ')) theirs.at(-1)?.push(line.slice(2));
    else throw new Error(`escaped: ${line}`);
  }
  if (fence !== undefined) throw new Error('a fence that nobody closed');
  return { ours, theirs };
}
