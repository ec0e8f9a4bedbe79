/** The input of a tool on one line: its command or main field first, then the rest. */
import { printable, shortened } from 'rouse/contract/display';

const LONGEST = 240;
/** Names of main fields, the most important first. */
const MAIN = ['command', 'question', 'path', 'action', 'url', 'query', 'text', 'data'];

export function mainInput(input: unknown): string {
  if (typeof input === 'string') return cut(input);
  if (typeof input !== 'object' || input === null) return '';
  const given = Object.entries(input);
  const name = MAIN.find((name) => given.some(([given, value]) => given === name && typeof value === 'string'));
  const main = given.flatMap(([given, value]) => (given === name ? [String(value)] : []));
  const rest = given
    .filter(([given, value]) => given !== name && value !== false)
    .map(([name, value]) => pairInWords(name, value));
  return cut([...main, ...(rest.length > 0 ? [`· ${rest.join(', ')}`] : [])].join(' '));
}

const pairInWords = (name: string, value: unknown): string =>
  value === true ? name : `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`;

const cut = (text: string): string => shortened(printable(text.slice(0, LONGEST * 4)), LONGEST);

/** The complete input, formatted. */
export const wholeInput = (input: unknown): string =>
  typeof input === 'string' ? input : (JSON.stringify(input, null, 2) ?? '');
