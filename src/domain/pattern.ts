/** What a watch looks for: a literal, or `/an expression/` with the flags i, m, s and u. */
import { RE2JS, RE2JSException } from 're2js';
import { refuse, type Refusal } from '../contract/refusal.js';
import { encode } from './utf8.js';

export type Pattern =
  | { readonly kind: 'literal'; readonly source: string; readonly bytes: Uint8Array }
  | { readonly kind: 'expression'; readonly source: string; readonly test: (text: string) => boolean };

// Letters that are no flags anywhere make it a path: /usr/bin is a literal.
const EXPRESSION = /^\/(.+)\/([dgimsuvy]*)$/s;
const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  u: 0,
};

/** Matching takes time in proportion to the text and, in the worst case, to this. */
const PROGRAM_SIZE = 500;

export function parsePattern(source: string): Pattern | Refusal {
  if (source === '') return refuse('invalid', 'A watch pattern is empty; it would match every line.');
  if (/[\r\n]/.test(source))
    return refuse(
      'invalid',
      `The watch pattern ${quoted(source)} holds a line break, and patterns match within a line.`,
    );
  const [, expression, flags] = EXPRESSION.exec(source) ?? [];
  if (expression === undefined) return { kind: 'literal', source, bytes: encode(source) };
  return parseExpression(source, expression, flags ?? '');
}

function parseExpression(source: string, expression: string, flags: string): Pattern | Refusal {
  const unknown = flags.split('').find((flag) => !(flag in FLAGS));
  if (unknown) return cannot(source, `the flag "${unknown}" is not one of i, m, s and u`);
  try {
    const known = flags.split('').reduce((sum, flag) => sum | (FLAGS[flag] ?? 0), 0);
    const compiled = RE2JS.compile(RE2JS.translateRegExp(expression), known);
    if (compiled.programSize() > PROGRAM_SIZE) return cannot(source, 'it is too large');
    return { kind: 'expression', source, test: (text) => compiled.test(text) };
  } catch (error) {
    if (error instanceof RE2JSException) return cannot(source, reason(expression, error.message));
    throw error;
  }
}

const BACKTRACKING = /\\[1-9]|\\k<|\(\?<?[=!]|\(\?>|[*+?}]\+/;

/** What only a backtracking engine can do is no slip of the pen, and deserves its own words. */
function reason(expression: string, message: string): string {
  const said = message.replace(/^error parsing regexp: /, '');
  return BACKTRACKING.test(expression)
    ? `back-references, look-around and possessive repetition are not known here, because matching must take linear time (${said})`
    : said;
}

const cannot = (source: string, why: string): Refusal =>
  refuse('invalid', `The watch pattern ${quoted(source)} is not an expression that can be watched for: ${why}.`);

const quoted = (source: string): string => JSON.stringify(source.length > 100 ? `${source.slice(0, 100)}…` : source);
