/**
 * What a watch looks for: a literal, or `/an expression/` with the flags i, m, s and u.
 *
 *   /error|fatal/i   an expression        ERROR: (1)   a literal, whatever it holds
 *   /usr/bin         a path, a literal    /a/z         refused: z is no flag, and nothing else says that it is a path
 *
 * Text between slashes that is followed by letters is a path if it has nothing but the characters of one and
 * either several parts, or three letters or more behind the last slash, or the name of a root directory at its beginning.
 */
import { RE2JS, RE2JSException } from 're2js';
import { refuse, type Refusal } from '../../contract/refusal.js';
import { encode } from '../output/text.js';

export type Pattern =
  | { readonly kind: 'literal'; readonly source: string; readonly bytes: Uint8Array }
  | { readonly kind: 'expression'; readonly source: string; readonly test: (text: string, edges?: Edges) => boolean };

const BETWEEN_SLASHES = /^\/(.+)\/([A-Za-z]*)$/s;
const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  u: 0,
};
/** Flags of other engines: they mean an expression, too. */
const FOREIGN_FLAGS = 'dgvy';

/** Matching takes time in proportion to the text and, in the worst case, to this. */
const PROGRAM_SIZE = 500;

export function parsePattern(source: string): Pattern | Refusal {
  if (source === '') return refuse('invalid', 'A watch pattern is empty; it would match every line.');
  if (/[\r\n]/.test(source))
    return refuse(
      'invalid',
      `The watch pattern ${quoted(source)} holds a line break, and patterns match within a line.`,
    );
  const [, expression, flags = ''] = BETWEEN_SLASHES.exec(source) ?? [];
  if (expression === undefined || isPath(expression, flags)) return { kind: 'literal', source, bytes: encode(source) };
  return parseExpression(source, expression, flags);
}

const ROOT =
  /^(?:bin|boot|dev|etc|home|lib|lib64|media|mnt|opt|proc|root|run|sbin|srv|sys|tmp|usr|var|Applications|Library|Users|Volumes)$/;

function isPath(inside: string, behind: string): boolean {
  const letters = behind.split('');
  if (letters.every((letter) => letter in FLAGS) || !/^[\w.+@~/-]+$/.test(inside)) return false;
  if (inside.includes('/') || ROOT.test(inside)) return true;
  return letters.length >= 3 && !letters.every((letter) => letter in FLAGS || FOREIGN_FLAGS.includes(letter));
}

function parseExpression(source: string, expression: string, flags: string): Pattern | Refusal {
  const unknown = flags.split('').find((flag) => !(flag in FLAGS));
  if (unknown)
    return cannot(
      source,
      `the flag "${unknown}" is not supported (only i, m, s and u are); to match the text literally, write ${asText(source)}`,
    );
  const escape = unknownEscape(expression);
  if (escape) return cannot(source, escape);
  try {
    const known = flags.split('').reduce((sum, flag) => sum | (FLAGS[flag] ?? 0), 0);
    const translated = RE2JS.translateRegExp(withShortProperties(expression));
    const compiled = RE2JS.compile(translated, known);
    if (compiled.programSize() > PROGRAM_SIZE) return cannot(source, 'it is too large');
    return { kind: 'expression', source, test: tester(translated, known, compiled) };
  } catch (error) {
    if (error instanceof RE2JSException) return cannot(source, reason(error));
    throw error;
  }
}

const asText = (source: string): string => JSON.stringify(`/${source.replaceAll(/[/.+]/g, '\\$&')}/`);

/** The long forms of JavaScript, `\p{Script=Han}` and `\p{gc=Lu}`, by the names that the engine knows. */
const withShortProperties = (expression: string): string =>
  expression.replaceAll(
    /\\(\\|[pP]\{(?:Script|sc|General_Category|gc)=(\w+)\})/g,
    (whole, escaped: string, name: string | undefined) => (name ? `\\${escaped[0]}{${name}}` : whole),
  );

const KNOWN_ESCAPES = 'dDwWsSbBAzpPQEntrfvaxuc';

/** The engine takes a letter that it does not know for itself: `\Z` would be a Z and `\k<name>` a k. */
function unknownEscape(expression: string): string | undefined {
  const letters = [...expression.matchAll(/\\([^])/g)].map(([, letter = '']) => letter);
  const unknown = letters.find((letter) => /[A-Za-z]/.test(letter) && !KNOWN_ESCAPES.includes(letter));
  if (unknown === 'k') return NOT_LINEAR;
  return unknown && `the escape "\\${unknown}" is not known here`;
}

/**
 * Between edges that are not the line's own, a match counts only if no text beyond them could undo it. So the
 * anchors are taken out, and where word boundaries are asked for, letters beyond the edges must not undo the match.
 */
function tester(translated: string, flags: number, whole: RE2JS): (text: string, edges?: Edges) => boolean {
  const bounded = /\\[bB]/.test(translated);
  const variants = new Map<string, RE2JS>();
  const variant = (edges: Edges): RE2JS => {
    const key = `${edges.begins} ${edges.ends}`;
    const known = variants.get(key) ?? RE2JS.compile(withoutAnchors(translated, edges), flags);
    variants.set(key, known);
    return known;
  };
  return (text, edges) => {
    if (!edges || (edges.begins && edges.ends)) return whole.test(text);
    const compiled = variant(edges);
    return compiled.test(text) && (!bounded || matchesAmongLetters(compiled, text, edges));
  };
}

function matchesAmongLetters(compiled: RE2JS, text: string, { begins, ends }: Edges): boolean {
  const from = begins ? 0 : 1;
  const matcher = compiled.matcher(`${begins ? '' : 'a'}${text}${ends ? '' : 'a'}`);
  while (matcher.find()) if (matcher.start() >= from && matcher.end() <= from + text.length) return true;
  return false;
}

const NOT_LINEAR =
  'backreferences, lookaround and possessive quantifiers are not supported, because matching must take linear time';

/** What only a backtracking engine can do is no slip of the pen, and deserves its own words. */
function reason({ message }: RE2JSException): string {
  const said = message.replace(/^error parsing regexp: /, '');
  if (/`(?:\\[1-9]|\(\?<?[=!]|\(\?>)|[*+?}]\+`$/.test(said)) return `${NOT_LINEAR} (${said})`;
  return /`\\[pP]/.test(said)
    ? `it uses a Unicode property that is not supported (${said.replace(/^[^`]*/, '')})`
    : said;
}

const cannot = (source: string, why: string): Refusal =>
  refuse('invalid', `The watch pattern ${quoted(source)} cannot be used as a regular expression: ${why}.`);

const quoted = (source: string): string => JSON.stringify(source.length > 100 ? `${source.slice(0, 100)}…` : source);

/** Whether a text begins and ends where its line does. */
export type Edges = { readonly begins: boolean; readonly ends: boolean };

/** Matches no character at all. */
const NEVER = '[^\\x00-\\x{10FFFF}]';

/** One token of the engine's syntax: a quotation, an escape, a class of characters, or a single character. */
const TOKEN = /\\Q[^]*?(?:\\E|$)|\\[^]|\[\^?\]?(?:\[:\w+:\]|\\[^]|[^\]\\])*\]|[^]/g;

/** The same expression with the anchors of the missing edges replaced by what never matches. */
const withoutAnchors = (expression: string, { begins, ends }: Edges): string =>
  expression.replaceAll(TOKEN, (token) => {
    const missing = begins ? false : token === '^' || token === '\\A';
    return missing || (!ends && (token === '$' || token === '\\z')) ? NEVER : token;
  });
