/** Text that others wrote, made fit for a terminal: it may colour itself and nothing else. */
import { HIDDEN, wellFormed } from '../../contract/display.js';

/** For a name or a command in a table or a sentence. */
export { printable as oneLine } from '../../contract/display.js';

const COLOUR = '\\u001b\\[[0-9;:]*m';
const CODES = new RegExp(
  [
    COLOUR,
    '\\u001b\\][^\\u0007\\u001b\\n]*(?:\\u0007|\\u001b\\\\)', // OSC: titles, links, clipboard
    '\\u001b[PX^_][^\\u001b\\n]*\\u001b\\\\', // DCS, SOS, PM, APC
    '\\u001b\\[[0-?]*[ -/]*[@-~]', // CSI: cursor, screen, modes, questions
    '\\u001b[ -/]*[0-~]', // two-character escapes, and the beginning of one that never ends
    '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]', // what else is not a character; tab, LF, CR stay
  ].join('|'),
  'g',
);
const IS_COLOUR = new RegExp(`^${COLOUR}$`);
/** The beginning of a sequence at the end of a chunk, whose rest may come with the next. */
const UNFINISHED = new RegExp(
  // oxlint-disable-next-line no-control-regex -- as above
  '\\u001b(?:\\[[0-?]*[ -/]*|\\][^\\u0007\\u001b\\n]*\\u001b?|[PX^_][^\\u001b\\n]*\\u001b?|[ -/]*)$',
);
/** For words of several lines: line breaks stay, terminal codes and what is not seen go. */
export const prose = (text: string): string =>
  wellFormed(text)
    .replace(UNFINISHED, '')
    .replace(CODES, '')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(HIDDEN, '');

/** Longer than any honest sequence; a dishonest one does not make us hold back the output behind it. */
const LONGEST = 4_096;

/** Lets text and its colours through and takes every other terminal code out, also one that is cut by a chunk's edge. */
export class ColouredText {
  #held = '';
  #coloured = false;

  pass(chunk: string): string {
    const text = this.#held + chunk;
    const unfinished = UNFINISHED.exec(text.slice(-LONGEST))?.[0] ?? '';
    this.#held = unfinished.length < LONGEST ? unfinished : '';
    return this.#filtered(text.slice(0, text.length - this.#held.length));
  }

  /** What was held back, and the end of any colour. */
  finish(): string {
    const rest = this.#filtered(this.#held);
    this.#held = '';
    return this.#coloured ? `${rest}\u001b[0m` : rest;
  }

  #filtered(text: string): string {
    return text.replace(CODES, (code) => {
      if (!IS_COLOUR.test(code)) return '';
      this.#coloured = true;
      return code;
    });
  }
}
