/** The title of a session without a name: the first words of its first message. */
import { shortened } from '../../contract/display.js';
import { printable } from '../output/text.js';

const CHARACTERS = 60;
/** Enough to find the secrets among the first words whole. */
const LOOKED_AT = 4_000;

/** One line, its secrets taken out before it is cut; empty when there is nothing to be seen in it. */
export const titleFrom = (text: string, redact: (text: string) => string): string =>
  shortened(redact(printable(text.slice(0, LOOKED_AT))).replaceAll(/\s+/g, ' '), CHARACTERS);
