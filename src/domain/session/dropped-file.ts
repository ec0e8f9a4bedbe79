/** Files that people give to a session: where they stand, and under which names. */
export const filesIn = (rouseHome: string): string => `${rouseHome}/files`;

/** In characters of up to four bytes each, so that a file system takes it with a number behind it. */
const LONGEST_STEM = /^[^]{0,50}/u;
const LONGEST_ENDING = 10;

/** What is left of a name when it can be neither a path, nor an option, nor hidden, nor needs quotes in a shell. */
export function safeName(given: string): string {
  const base = given.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const plain = base.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-').replace(/^[.-]+|[.-]+$/g, '');
  const { stem, ending } = parted(plain);
  return `${LONGEST_STEM.exec(stem)?.[0] ?? ''}${ending}` || 'file';
}

/** The first is not numbered. */
export function numbered(name: string, number: number): string {
  const { stem, ending } = parted(name);
  return number === 1 ? name : `${stem}-${number}${ending}`;
}

function parted(name: string): { readonly stem: string; readonly ending: string } {
  const at = name.lastIndexOf('.');
  return at <= 0 || name.length - at > LONGEST_ENDING
    ? { stem: name, ending: '' }
    : { stem: name.slice(0, at), ending: name.slice(at) };
}
