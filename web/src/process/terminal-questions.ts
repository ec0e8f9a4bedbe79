/**
 * Programs query their terminal: its type, its cursor position, its colours. The terminal answers into the input of the
 * process, as if it were typed. So it must not answer while old output is replayed, when the program is long gone, and
 * only the view that has the focus may answer, because there can be many.
 */
import type { IParser } from '@xterm/xterm';

const ASKED = [
  { final: 'c' },
  { prefix: '>', final: 'c' },
  { prefix: '=', final: 'c' },
  { final: 'n' },
  { prefix: '?', final: 'n' },
  { prefix: '>', final: 'q' },
  { intermediates: '$', final: 'p' },
  { prefix: '?', intermediates: '$', final: 'p' },
  { final: 't' },
] as const;

/** OSC numbers that ask for a colour. */
const COLOURS = [4, 10, 11, 12] as const;

export function answerOnlyWhen(parser: IParser, mayAnswer: () => boolean): void {
  const kept = (): boolean => !mayAnswer();
  for (const id of ASKED) parser.registerCsiHandler(id, kept);
  for (const number of COLOURS) parser.registerOscHandler(number, (asked) => asked.includes('?') && kept());
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, kept);
}
