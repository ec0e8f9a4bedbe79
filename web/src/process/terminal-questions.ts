/**
 * Programs put questions to their terminal: what it is, where its cursor stands, which colours it has. The answer goes
 * to the input of the process, as if it were typed. So none is given while old output is shown again, which would be an
 * answer to a program that is long gone, and none by a view that nobody sits at, since there may be many.
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

/** The numbers of those that ask for a colour. */
const COLOURS = [4, 10, 11, 12] as const;

export function answerOnlyWhen(parser: IParser, mayAnswer: () => boolean): void {
  const kept = (): boolean => !mayAnswer();
  for (const id of ASKED) parser.registerCsiHandler(id, kept);
  for (const number of COLOURS) parser.registerOscHandler(number, (asked) => asked.includes('?') && kept());
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, kept);
}
