/** The names that Rouse gives: titles of sessions, and names of the files that people drop into them. */
import { shortened } from '../../contract/display.js';
import { printable } from '../output/text.js';

const CHARACTERS = 60;
/** Enough to find the secrets among the first words whole. */
const LOOKED_AT = 4_000;

/** One line, its secrets taken out before it is cut; empty when there is nothing to be seen in it. */
export const titleFrom = (text: string, redact: (text: string) => string): string =>
  shortened(redact(printable(text.slice(0, LOOKED_AT))).replaceAll(/\s+/g, ' '), CHARACTERS);

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
