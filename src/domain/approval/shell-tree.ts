/**
 * Parses shell text within a budget.
 *
 *   1. The parser takes no limit of its own and is quadratic for some nestings, so the price of a text is paid before it
 *      is parsed: its length times the number of characters that can open something.
 *   2. The text of most here-documents is cut out first and put back afterwards, since it may be long and is not parsed.
 *      The parser must find a here-document at each cut; otherwise the text is not what it seemed, and is unreadable.
 *   3. Text that cannot be parsed is a problem, never a command that looks harmless.
 */
import { parse, type HereDoc, type ParsedScript } from 'unbash';
import { UNKNOWN } from './shell-word.js';

/** How much work is left. Everything that reads or judges a script takes from the same number, so the whole is bounded. */
export type Steps = { left: number };

/** False when there are not enough left; then none are, and nothing more is to be done. */
export function pay(steps: Steps, cost: number): boolean {
  steps.left = cost <= steps.left ? steps.left - cost : -1;
  return steps.left >= 0;
}

/** Why a script was not read to its end; `open` when more text could complete it. */
export type Problem = { readonly why: string; readonly open: boolean };

export const TOO_LONG: Problem = { why: 'it takes too long to read', open: false };
const MISLEADING: Problem = { why: 'a here-document is not where it seems to be', open: false };
const UNCLOSED: Problem = { why: 'a here-document is not closed', open: true };

export type ShellTree = {
  /** What was parsed: the source without the here-documents that were cut out. */
  readonly text: string;
  readonly script: ParsedScript;
  /** The text of a here-document where it was cut out; undefined where the tree holds it. */
  readonly bodyOf: (document: HereDoc) => string | undefined;
  /** After the tree was walked through: what could not be parsed. */
  readonly problem: () => Problem | undefined;
  readonly errorsIn: (script: ParsedScript) => void;
};

const STEPS_A_SCRIPT = 500;
const STEPS_A_CHARACTER = 64;

/** What the parser nests, or looks for the end of. */
const OPENS = /[{([<`]|coproc|function/g;

const priceOf = (text: string): number =>
  STEPS_A_SCRIPT + text.length * (STEPS_A_CHARACTER + (text.match(OPENS)?.length ?? 0));

export function parsed(source: string, steps: Steps): ShellTree | Problem {
  if (source.includes(UNKNOWN)) return { why: 'it contains a reserved character', open: false };
  const { text, cuts } = withoutBodies(source);
  if (!pay(steps, priceOf(text) + source.length)) return TOO_LONG;
  const problems: Problem[] = [];
  const errorsIn = ({ errors = [], source: own = text }: ParsedScript): void => {
    const end = own.trimEnd().length - 1;
    for (const { message, pos } of errors)
      problems.push({ why: message, open: message.startsWith('unterminated') || pos >= end });
  };
  const bodyOf = ({ body, delimiter, closing }: HereDoc): string | undefined => {
    if (!closing) problems.push(UNCLOSED);
    const cut = cuts.get(body.pos);
    if (!cut || cut.delimiter !== delimiter?.value || cut.quoted !== delimiter.quoted) return undefined;
    cuts.delete(body.pos);
    return cut.body;
  };
  const problem = (): Problem | undefined =>
    problems.find(({ open }) => !open) ?? (cuts.size > 0 ? MISLEADING : problems[0]);
  return { text, script: parse(text), bodyOf, problem, errorsIn };
}

type Cut = { readonly delimiter: string; readonly quoted: boolean; readonly strips: boolean; body: string };

const HERE = /(?<!<)<<(?!<)(-?)[ \t]*(?:(['"])([^'"\n$`\\]+)\2|(\\?)([A-Za-z_]\w*))/g;
/** What the parser should look into, where the delimiter is not quoted. */
const EXPANDS = /[`\\]|\$[^A-Za-z_]/;

/** The text without the bodies of its here-documents, and each body by where its closing line begins in that text. */
function withoutBodies(source: string): { readonly text: string; readonly cuts: Map<number, Cut> } {
  const cuts = new Map<number, Cut>();
  let text = '';
  let waiting: Cut[] = [];
  for (const line of source.split('\n')) {
    const [cut] = waiting;
    if (!cut) {
      waiting = [...line.matchAll(HERE)].map(([, dash, quote, quoted, backslash, plain]) => ({
        delimiter: quoted ?? plain ?? '',
        quoted: Boolean(quote ?? backslash),
        strips: dash === '-',
        body: '',
      }));
    } else {
      const bare = cut.strips ? line.replace(/^\t+/, '') : line;
      if (bare !== cut.delimiter) {
        cut.body += `${bare}\n`;
        continue;
      }
      waiting.shift();
      if (!cut.quoted && EXPANDS.test(cut.body)) text += cut.body;
      else if (cut.body !== '') cuts.set(text.length, cut);
    }
    text += `${line}\n`;
  }
  return { text: (text + (waiting[0]?.body ?? '')).slice(0, -1), cuts };
}
