/** A line cut at what was searched for, so that it can be marked. */
export type Part = { readonly text: string; readonly hit: boolean };

export function parts(line: string, asked: string): readonly Part[] {
  if (asked === '') return [{ text: line, hit: false }];
  const needle = asked.toLowerCase();
  // Letters whose lower case has another length would shift all later positions.
  const hay = line.toLowerCase().length === line.length ? line.toLowerCase() : line;
  const cut: Part[] = [];
  let at = 0;
  for (let hit = hay.indexOf(needle); hit >= 0; hit = hay.indexOf(needle, at)) {
    cut.push({ text: line.slice(at, hit), hit: false }, { text: line.slice(hit, hit + needle.length), hit: true });
    at = hit + needle.length;
  }
  return [...cut, { text: line.slice(at), hit: false }].filter(({ text }) => text !== '');
}
