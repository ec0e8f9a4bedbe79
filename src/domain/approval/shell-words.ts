/**
 * Reads the words of a shell script.
 *
 *   1. Quotes and backslashes are removed as a shell removes them.
 *   2. A brace expansion, and a variable that may hold one of several values, make one word for each alternative.
 *   3. What only the shell will know is UNKNOWN in the word. The commands of a substitution are read as commands.
 *   4. Text that ends before its quote or parenthesis does is a problem, never a word that looks harmless.
 */
import { ansiDecoded } from './ansi-quoted.js';
import { deeper, fail, spend, taken, UNKNOWN, type Cursor, type Word } from './shell-cursor.js';

/** A word while it is read: all that it may be, and whether an unquoted part of it is unknown. */
type Draft = { texts: readonly string[]; splits: boolean; braces: number };

const ALTERNATIVES = 64;

function append(draft: Draft, parts: readonly string[]): void {
  if (draft.texts.length * parts.length > ALTERNATIVES) {
    draft.texts = [UNKNOWN];
    draft.splits = true;
  } else draft.texts = draft.texts.flatMap((text) => parts.map((part) => text + part));
}

const PLAIN = /[^\s;&|()<>'"$`\\{}~]+/y;
const ENDS_WORD = /[\s;&|()<>]/;

/** The word that begins here, as all the words that it may expand to; at least one character is taken. */
export function readWords(cursor: Cursor): readonly Word[] {
  const draft: Draft = { texts: [''], splits: false, braces: 0 };
  const began = cursor.at;
  while (cursor.at < cursor.source.length && spend(cursor, draft.texts.length)) {
    const character = cursor.source[cursor.at] ?? '';
    if (/[<>]/.test(character) && cursor.source[cursor.at + 1] === '(') {
      cursor.at += 1;
      append(draft, [readSubstitution(cursor)]);
    } else if (ENDS_WORD.test(character)) break;
    else readPart(cursor, draft, character, began);
  }
  // A character that no rule took is taken as it is, so that reading always advances.
  if (cursor.at === began && began < cursor.source.length) append(draft, [cursor.source[cursor.at++] ?? '']);
  // Braces that are not plainly a list: with quotes, expansions or other braces in them.
  if (draft.braces > 0 && mayBeList(cursor.source.slice(began, cursor.at))) return [{ text: UNKNOWN, splits: true }];
  return draft.texts.map((text) => ({ text, splits: draft.splits || draft.texts.length > 1 }));
}

const mayBeList = (text: string): boolean => /,|\.\./.test(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));

function readPart(cursor: Cursor, draft: Draft, character: string, began: number): void {
  const plain = taken(cursor, PLAIN)?.[0];
  if (plain !== undefined) append(draft, [plain]);
  else if (character === "'") append(draft, [readSingle(cursor)]);
  else if (character === '"') append(draft, readDouble(cursor));
  else if (character === '~') append(draft, readTilde(cursor, began));
  else if (character === '{') readBraces(cursor, draft);
  else {
    const parts = readUnquoted(cursor, character);
    draft.splits ||= parts.some((part) => part.includes(UNKNOWN));
    append(draft, parts);
  }
}

function readUnquoted(cursor: Cursor, character: string): readonly string[] {
  if (character === '\\') return [readEscaped(cursor)];
  if (character === '$') return readDollar(cursor, false).map((text) => (/\s/.test(text) ? UNKNOWN : text));
  if (character === '`') return [readBackticks(cursor)];
  cursor.at += 1;
  return [character];
}

const BRACES = /\{([^{}\s'"$`\\;&|()<>]*)\}/y;
const RANGE = /^(-?\d{1,6})\.\.(-?\d{1,6})$/;

function readBraces(cursor: Cursor, draft: Draft): void {
  const inner = taken(cursor, BRACES)?.[1];
  if (inner === undefined) {
    draft.braces += 1;
    cursor.at += 1;
    return append(draft, ['{']);
  }
  if (inner.includes(',')) return append(draft, inner.split(','));
  const range = RANGE.exec(inner);
  if (range) return append(draft, numbersBetween(Number(range[1]), Number(range[2])));
  return append(draft, [inner.includes('..') ? UNKNOWN : `{${inner}}`]);
}

function numbersBetween(from: number, to: number): readonly string[] {
  const count = Math.abs(to - from) + 1;
  if (count > ALTERNATIVES) return [UNKNOWN];
  return Array.from({ length: count }, (_, index) => String(from + (to < from ? -index : index)));
}

function readEscaped(cursor: Cursor): string {
  const escaped = cursor.source[cursor.at + 1] ?? '\\';
  cursor.at += 2;
  return escaped === '\n' ? '' : escaped;
}

function readSingle(cursor: Cursor): string {
  const end = cursor.source.indexOf("'", cursor.at + 1);
  if (end < 0) fail(cursor, 'a quote is not closed', true);
  const text = cursor.source.slice(cursor.at + 1, end < 0 ? undefined : end);
  cursor.at = end < 0 ? cursor.source.length : end + 1;
  return text;
}

const PLAIN_QUOTED = /[^"$`\\]+/y;

function readDouble(cursor: Cursor): readonly string[] {
  const draft: Draft = { texts: [''], splits: false, braces: 0 };
  cursor.at += 1;
  while (cursor.at < cursor.source.length && spend(cursor, draft.texts.length)) {
    const character = cursor.source[cursor.at] ?? '';
    if (character === '"') {
      cursor.at += 1;
      return draft.texts;
    }
    append(draft, readExpanded(cursor, character, PLAIN_QUOTED, /[$`"\\\n]/));
  }
  fail(cursor, 'a quote is not closed', true);
  return draft.texts;
}

/** One piece of a text in which only variables and substitutions are expanded. */
function readExpanded(cursor: Cursor, character: string, plain: RegExp, escapes: RegExp): readonly string[] {
  const found = taken(cursor, plain)?.[0];
  if (found !== undefined) return [found];
  if (character === '$') return readDollar(cursor, true);
  if (character === '`') return [readBackticks(cursor)];
  if (character === '\\' && escapes.test(cursor.source[cursor.at + 1] ?? '')) return [readEscaped(cursor)];
  cursor.at += 1;
  return [character];
}

const PLAIN_BODY = /[^$`\\]+/y;

/** The text of a here-document whose delimiter is not quoted. */
export function readBody(cursor: Cursor): Word {
  let text = '';
  while (cursor.at < cursor.source.length && spend(cursor, 1)) {
    const parts = readExpanded(cursor, cursor.source[cursor.at] ?? '', PLAIN_BODY, /[$`\\\n]/);
    text += parts.length === 1 ? parts[0] : UNKNOWN;
  }
  return { text, splits: false };
}

function readTilde(cursor: Cursor, began: number): readonly string[] {
  const before = cursor.source[cursor.at - 1];
  if (cursor.at !== began && before !== '=' && before !== ':') {
    cursor.at += 1;
    return ['~'];
  }
  const name = taken(cursor, /~([\w.+-]*)/y)?.[1] ?? '';
  if (name === '') return known(cursor, 'HOME');
  if (name === '+') return known(cursor, 'PWD');
  return /^[-+\d]/.test(name) ? [UNKNOWN] : [name === 'root' ? '/root' : `/home/${name}`];
}

const NAME = /[A-Za-z_]\w*|[0-9@*#?$!-]/y;
const NUMBERS = new Set(['#', '?', '$']);

export function readDollar(cursor: Cursor, quoted: boolean): readonly string[] {
  cursor.at += 1;
  const next = cursor.source[cursor.at];
  if (next === '(') return [readSubstitution(cursor)];
  if (next === '{') return readParameter(cursor, quoted);
  if (next === '[') return readOldArithmetic(cursor);
  if (!quoted && next === '"') return [''];
  if (!quoted && next === "'") return [readAnsiQuoted(cursor)];
  const name = taken(cursor, NAME)?.[0];
  if (name === undefined) return ['$'];
  return NUMBERS.has(name) ? ['0'] : known(cursor, name);
}

const known = (cursor: Cursor, name: string): readonly string[] =>
  (Object.hasOwn(cursor.variables, name) ? cursor.variables[name] : undefined) ?? [UNKNOWN];

/** `$[…]`, which bash still takes for arithmetic. */
function readOldArithmetic(cursor: Cursor): readonly string[] {
  cursor.at += 1;
  deeper(cursor, () => readUpTo(cursor, ']', false));
  return [UNKNOWN];
}

/** A temporary folder by convention, also where the variable is not set: `${TMPDIR:-/tmp}`, `${TMPDIR:?}`. */
const TEMPORARY = /^\{TMPDIR:(?:-\/tmp|\?[^{}$`"'\\]*)\}$/;
const LENGTH = /\{#\w+\}/y;
const BRACED_NAME = /\{([A-Za-z_]\w*)\}/y;

function readParameter(cursor: Cursor, quoted: boolean): readonly string[] {
  if (taken(cursor, LENGTH)) return ['0'];
  const name = taken(cursor, BRACED_NAME)?.[1];
  if (name) return known(cursor, name);
  const began = cursor.at;
  cursor.at += 1;
  deeper(cursor, () => readUpTo(cursor, '}', quoted));
  const isTemporary = TEMPORARY.test(cursor.source.slice(began, Math.min(cursor.at, began + 100)));
  return isTemporary && !Object.hasOwn(cursor.variables, 'TMPDIR') ? ['/tmp'] : [UNKNOWN];
}

/** Reads to the closing character, with quotes and everything that is expanded on the way. */
function readUpTo(cursor: Cursor, close: '}' | ']', quoted: boolean): void {
  while (cursor.at < cursor.source.length && spend(cursor, 1)) {
    const character = cursor.source[cursor.at] ?? '';
    if (character === close) {
      cursor.at += 1;
      return;
    }
    if (character === '"') readDouble(cursor);
    else if (character === "'" && !quoted) readSingle(cursor);
    else if (/[<>]/.test(character) && cursor.source[cursor.at + 1] === '(' && !quoted) {
      cursor.at += 1;
      readSubstitution(cursor);
    } else if (character === '\\') cursor.at += 2;
    else if (character === '$') readDollar(cursor, quoted);
    else if (character === '`') readBackticks(cursor);
    else cursor.at += 1;
  }
  fail(cursor, 'a brace or a bracket is not closed', true);
}

function readAnsiQuoted(cursor: Cursor): string {
  const found = taken(cursor, /'((?:[^'\\]|\\[^])*)'/y);
  if (found) return ansiDecoded(found[1] ?? '');
  fail(cursor, 'a quote is not closed', true);
  cursor.at = cursor.source.length;
  return UNKNOWN;
}

/** At the opening parenthesis: arithmetic where bash takes it for that, commands otherwise. */
function readSubstitution(cursor: Cursor): string {
  const end = cursor.source.startsWith('((', cursor.at) ? endOfArithmetic(cursor) : undefined;
  if (end !== undefined) {
    readArithmetic(cursor, end);
    return '0';
  }
  const began = cursor.at;
  cursor.at += 1;
  deeper(cursor, () => cursor.readNested(cursor, ')'));
  // The output of mktemp is a new path of its own.
  const isNew = /^\(\s*mktemp(?:\s+-[dq]+)*(?:\s+-t)?(?:\s+[\w./-]+)?\s*\)$/;
  return isNew.test(cursor.source.slice(began, Math.min(cursor.at, began + 200))) ? '/tmp/tmp.new' : UNKNOWN;
}

/** Where the `))` stands that closes the `((` here; undefined when the inner parenthesis is closed elsewhere. */
export function endOfArithmetic(cursor: Cursor): number | undefined {
  const { source } = cursor;
  const began = cursor.at;
  let depth = 0;
  for (let at = began + 1; at < source.length; at += 1) {
    const character = source[at];
    if (character === '\\') at += 1;
    else if (character === '"' || character === "'") {
      const end = source.indexOf(character, at + 1);
      if (end < 0) break;
      at = end;
    } else if (character === '(') depth += 1;
    else if (character === ')' && --depth === 0) {
      if (!spend(cursor, at - began)) return undefined;
      return source[at + 1] === ')' ? at : undefined;
    }
  }
  spend(cursor, source.length - began);
  return undefined;
}

/** What is calculated may still hold substitutions. */
export function readArithmetic(cursor: Cursor, end: number): void {
  cursor.at += 2;
  while (cursor.at < end && spend(cursor, 1)) {
    const character = cursor.source[cursor.at] ?? '';
    if (character === '$') deeper(cursor, () => void readDollar(cursor, true));
    else if (character === '`') readBackticks(cursor);
    else cursor.at += 1;
  }
  cursor.at = Math.max(cursor.at, end + 2);
}

function readBackticks(cursor: Cursor): string {
  const found = taken(cursor, /`((?:[^`\\]|\\[^])*)`/y);
  if (!found) {
    fail(cursor, 'a backtick is not closed', true);
    cursor.at = cursor.source.length;
    return UNKNOWN;
  }
  deeper(cursor, () => cursor.readApart((found[1] ?? '').replace(/\\([\\`$])/g, '$1'), cursor));
  return UNKNOWN;
}
