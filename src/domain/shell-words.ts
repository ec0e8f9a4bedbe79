/**
 * Reads a shell script far enough to know which commands it runs, with which words.
 *
 *   1. Quotes and backslashes are taken off as a shell takes them off.
 *   2. What only the shell will know (a variable, the output of a substitution, a brace expansion) is UNKNOWN in the
 *      word; what stands inside a substitution is read as commands of its own.
 *   3. What it cannot read it says: nobody may take it for harmless.
 */
export const UNKNOWN = '\ufffc';

/** `splits` when the unknown part may turn into several words, or into none. */
export type Word = { readonly text: string; readonly splits: boolean };

export type ShellCommand = {
  readonly words: readonly Word[];
  readonly redirects: readonly { readonly operator: string; readonly target: Word }[];
  /** A pipe stands before it in the script: its input may be what another command wrote. */
  readonly piped: boolean;
};

/** `variables` are those that a script inside this one still has. */
export type Script = {
  readonly commands: readonly ShellCommand[];
  readonly variables: Variables;
  readonly unreadable?: string;
};

type Cursor = {
  readonly source: string;
  readonly variables: Variables;
  readonly commands: ShellCommand[];
  at: number;
  piped: boolean;
  depth: number;
  unreadable?: string;
};

export type Variables = Readonly<Record<string, string>>;

/** Of the variables only these are known, and only where the script does not set them itself. */
export function readScript(source: string, variables: Variables): Script {
  const script = readOnce(source, variables);
  const touched = script.commands.flatMap(({ words }) => words.map(({ text }) => text.replace(/\+?=[^]*$/, '')));
  const untouched = Object.entries(variables).filter(([name]) => !touched.includes(name));
  return untouched.length === Object.keys(variables).length ? script : readOnce(source, Object.fromEntries(untouched));
}

function readOnce(source: string, variables: Variables): Script {
  const cursor: Cursor = { source, variables, commands: [], at: 0, piped: false, depth: 0 };
  if (source.includes(UNKNOWN)) cursor.unreadable = 'it holds a character that stands for something else';
  readCommands(cursor, undefined);
  return { commands: cursor.commands, variables, ...(cursor.unreadable && { unreadable: cursor.unreadable }) };
}

const OPERATOR = /&&|\|\||;;&?|;&|\|&|[;&|()\n]/y;
const REDIRECT = /\d*(?:<<<|<<|<>|<&|>&|>>|>\||&>>|&>|<(?!\()|>(?!\())/y;
const BRACES = /\{[^{}\s]*\}/y;
const NAME = /[A-Za-z_]\w*|[0-9@*#?$!-]/y;
const BRACED_NAME = /\{([A-Za-z_]\w*)\}/y;
const BLANK = /(?:[ \t\r]|\\\n)+/y;

/** Takes what the pattern finds here, if it does. */
function taken(cursor: Cursor, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.source);
  if (!found) return undefined;
  cursor.at = pattern.lastIndex;
  return found;
}

const DEEPEST = 40;

/** Keeps what nests within bounds; beyond them nothing more is read. */
function deeper(cursor: Cursor, read: () => string): string {
  if (cursor.depth >= DEEPEST) {
    cursor.unreadable ??= 'it is nested too deeply';
    cursor.at = cursor.source.length;
    return UNKNOWN;
  }
  cursor.depth += 1;
  const text = read();
  cursor.depth -= 1;
  return text;
}

/** What stands in parentheses, as commands of its own. */
const readSubstitution = (cursor: Cursor): string =>
  deeper(cursor, () => {
    readCommands(cursor, ')');
    return UNKNOWN;
  });

function readCommands(cursor: Cursor, close: ')' | undefined): void {
  let words: Word[] = [];
  let redirects: { operator: string; target: Word }[] = [];
  let depth = 0;
  const flush = () => {
    if (words.length + redirects.length > 0) cursor.commands.push({ words, redirects, piped: cursor.piped });
    [words, redirects] = [[], []];
  };
  while (cursor.at < cursor.source.length) {
    if (taken(cursor, BLANK)) continue;
    if (cursor.source[cursor.at] === '#') {
      cursor.at = endOfLine(cursor);
      continue;
    }
    const redirect = taken(cursor, REDIRECT)?.[0].replace(/^\d+/, '');
    if (redirect) {
      if (redirect.startsWith('<<')) cursor.unreadable ??= 'it feeds a text into a command (<<)';
      taken(cursor, BLANK);
      redirects.push({ operator: redirect, target: readWord(cursor) });
      continue;
    }
    const operator = taken(cursor, OPERATOR)?.[0];
    if (operator === undefined) {
      words.push(readWord(cursor));
      continue;
    }
    // A closing parenthesis that nothing opened ends a pattern of a `case`.
    if (operator === ')' && depth === 0 && !close) words = [];
    flush();
    cursor.piped ||= operator === '|' || operator === '|&';
    if (operator === '(') depth += 1;
    if (operator !== ')') continue;
    if (depth === 0 && close) return;
    depth = Math.max(0, depth - 1);
  }
  flush();
  if (close) cursor.unreadable ??= 'a parenthesis is not closed';
}

const endOfLine = (cursor: Cursor): number => {
  const end = cursor.source.indexOf('\n', cursor.at);
  return end < 0 ? cursor.source.length : end;
};

const ENDS_WORD = /[\s;&|()<>]/;

function readWord(cursor: Cursor): Word {
  let text = '';
  let splits = false;
  const began = cursor.at;
  while (cursor.at < cursor.source.length) {
    const character = cursor.source[cursor.at] ?? '';
    if (/[<>]/.test(character) && cursor.source[cursor.at + 1] === '(') {
      cursor.at += 2;
      text += readSubstitution(cursor);
    } else if (ENDS_WORD.test(character)) break;
    else if (character === "'") text += readSingle(cursor);
    else if (character === '"') text += readDouble(cursor);
    else if (character === '~' && cursor.at === began) text += readTilde(cursor);
    else {
      const part = readUnquoted(cursor, character);
      splits ||= part.includes(UNKNOWN);
      text += part;
    }
  }
  // What no rule took is taken as it is, so that reading always goes on.
  if (cursor.at === began && began < cursor.source.length) text = cursor.source[cursor.at++] ?? '';
  return { text, splits };
}

function readUnquoted(cursor: Cursor, character: string): string {
  if (character === '\\') return readEscaped(cursor);
  if (character === '$') return readDollar(cursor);
  if (character === '`') return readBackticks(cursor);
  const braces = character === '{' ? taken(cursor, BRACES)?.[0] : undefined;
  if (braces !== undefined) return /,|\.\./.test(braces) ? UNKNOWN : braces;
  cursor.at += 1;
  return character;
}

function readEscaped(cursor: Cursor): string {
  const escaped = cursor.source[cursor.at + 1] ?? '\\';
  cursor.at += 2;
  return escaped === '\n' ? '' : escaped;
}

function readSingle(cursor: Cursor): string {
  const end = cursor.source.indexOf("'", cursor.at + 1);
  if (end < 0) cursor.unreadable ??= 'a quote is not closed';
  const text = cursor.source.slice(cursor.at + 1, end < 0 ? undefined : end);
  cursor.at = end < 0 ? cursor.source.length : end + 1;
  return text;
}

/** Reads to the closing character, with what is expanded between double quotes and in `${…}`. */
function readDouble(cursor: Cursor, close: '"' | '}' = '"'): string {
  let text = '';
  cursor.at += 1;
  while (cursor.at < cursor.source.length) {
    const character = cursor.source[cursor.at] ?? '';
    if (character === close) {
      cursor.at += 1;
      return text;
    }
    if (character === '\\' && /[$`"\\\n]/.test(cursor.source[cursor.at + 1] ?? '')) text += readEscaped(cursor);
    else if (character === '$') text += readDollar(cursor);
    else if (character === '`') text += readBackticks(cursor);
    else {
      text += character;
      cursor.at += 1;
    }
  }
  cursor.unreadable ??= 'a quote or a brace is not closed';
  return text;
}

function readTilde(cursor: Cursor): string {
  const name = taken(cursor, /~([\w.-]*)/y)?.[1] ?? '';
  return name === '' ? known(cursor, 'HOME') : `/home/${name}`;
}

function readDollar(cursor: Cursor): string {
  cursor.at += 1;
  const next = cursor.source[cursor.at];
  if (next === '"') return '';
  if (next === "'") return readAnsiQuoted(cursor);
  if (next === '(') {
    cursor.at += 1;
    return readSubstitution(cursor);
  }
  const braced = taken(cursor, BRACED_NAME)?.[1];
  if (braced) return known(cursor, braced);
  if (next === '{') {
    deeper(cursor, () => readDouble(cursor, '}'));
    return UNKNOWN;
  }
  const name = taken(cursor, NAME)?.[0];
  return name === undefined ? '$' : known(cursor, name);
}

const known = (cursor: Cursor, name: string): string => cursor.variables[name] ?? UNKNOWN;

/** `$'…'` can spell anything in numbers. */
function readAnsiQuoted(cursor: Cursor): string {
  if (!taken(cursor, /'(?:[^'\\]|\\[\s\S])*'/y)) {
    cursor.unreadable ??= 'a quote is not closed';
    cursor.at = cursor.source.length;
  }
  return UNKNOWN;
}

function readBackticks(cursor: Cursor): string {
  const found = taken(cursor, /`((?:[^`\\]|\\[\s\S])*)`/y);
  if (!found) {
    cursor.unreadable ??= 'a backtick is not closed';
    cursor.at = cursor.source.length;
    return UNKNOWN;
  }
  const inner = readScript((found[1] ?? '').replace(/\\([\\`$])/g, '$1'), cursor.variables);
  cursor.commands.push(...inner.commands.map((command) => ({ ...command, piped: command.piped || cursor.piped })));
  if (inner.unreadable) cursor.unreadable ??= inner.unreadable;
  return UNKNOWN;
}
