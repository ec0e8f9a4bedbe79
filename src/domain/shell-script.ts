/**
 * Reads a shell script far enough to know which commands it may run, with which words, in which order.
 *
 *   1. Every command that a shell would run is in the list, also out of substitutions, functions and branches.
 *   2. Here-documents are text, except where the shell expands them.
 *   3. What it cannot read is a problem that the caller must not take for harmless.
 *   4. The work is bounded by the steps it is given.
 */
import { assignedOnce, boundTo } from './shell-variables.js';
import {
  deeper,
  fail,
  spend,
  taken,
  UNKNOWN,
  type Cursor,
  type HereDocument,
  type Problem,
  type Redirect,
  type Steps,
  type Variables,
  type Word,
} from './shell-cursor.js';
import { endOfArithmetic, readArithmetic, readBody, readWords } from './shell-words.js';

/** How a command follows the one before it. */
export type Joint = 'then' | 'and' | 'or' | 'pipe';

export type ShellCommand = {
  readonly kind: 'command';
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  readonly joint: Joint;
  /** Its input may be what another command wrote. */
  fed: boolean;
};

/** `subshell`: what it does to the folder ends with it; `name` when it is the body of a function. */
export type ShellEvent =
  | ShellCommand
  | { readonly kind: 'open'; readonly subshell: boolean; readonly joint: Joint; readonly name?: string }
  | { readonly kind: 'close' };

export type Script = {
  readonly events: readonly ShellEvent[];
  readonly variables: Variables;
  readonly problem?: Problem;
};

type Group = { readonly kind: 'subshell' | 'block' | 'case'; readonly from: number; readonly fed: boolean };

type Reading = {
  readonly cursor: Cursor;
  readonly events: ShellEvent[];
  readonly groups: Group[];
  /** Inside a substitution: what is assigned there is gone afterwards. */
  readonly nested: boolean;
  readonly isAssignedOnce: (name: string) => boolean;
  words: Word[];
  redirects: Redirect[];
  joint: Joint;
  fed: boolean;
  functionName?: string;
};

export type Setting = { readonly variables: Variables; readonly steps: Steps; readonly fed: boolean };

export function readScript(source: string, { variables, steps, fed }: Setting): Script {
  const events: ShellEvent[] = [];
  const once = assignedOnce(source);
  const cursor: Cursor = {
    source,
    steps,
    variables: once.untouched(variables),
    hereDocuments: [],
    fed,
    at: 0,
    depth: 0,
    readNested: (inner, close) => readCommands(reading(inner, true), close),
    readApart: (text, outer) => readApart(text, outer),
  };
  const reading = (inner: Cursor, nested: boolean): Reading => ({
    cursor: inner,
    events,
    groups: [],
    nested,
    isAssignedOnce: once.is,
    words: [],
    redirects: [],
    joint: 'then',
    fed: inner.fed,
  });
  const readApart = (text: string, outer: Cursor): void => {
    const inner = within(outer, text);
    if (!spend(outer, text.length)) return;
    events.push({ kind: 'open', subshell: true, joint: 'then' });
    readCommands(reading(inner, true), undefined);
    events.push({ kind: 'close' });
    if (inner.problem) fail(outer, inner.problem.why, false);
  };
  if (source.includes(UNKNOWN)) fail(cursor, 'it holds a character that stands for something else', false);
  if (spend(cursor, Math.ceil(source.length / 8))) readCommands(reading(cursor, false), undefined);
  return { events, variables: cursor.variables, ...(cursor.problem && { problem: cursor.problem }) };
}

/** For a text that is read by itself. */
function within(outer: Cursor, source: string): Cursor {
  const inner: Cursor = { ...outer, source, at: 0, hereDocuments: [] };
  delete inner.problem;
  return inner;
}

const OPERATOR = /&&|\|\||;;&?|;&|\|&|[;&|()\n]/y;
const REDIRECT = /\d*(?:<<<|<<-?|<>|<&|>&|>>|>\||&>>|&>|<(?!\()|>(?!\())/y;
const BLANK = /(?:[ \t\r]|\\\n)+/y;
const COMMENT = /#[^\n]*/y;

function readCommands(reading: Reading, close: ')' | undefined): void {
  const { cursor } = reading;
  const { fed } = cursor;
  if (close) reading.events.push({ kind: 'open', subshell: true, joint: 'then' });
  readToEnd(reading, close);
  cursor.fed = fed;
}

function readToEnd(reading: Reading, close: ')' | undefined): void {
  const { cursor } = reading;
  while (cursor.at < cursor.source.length && spend(cursor, 1)) {
    cursor.fed = reading.fed || reading.joint === 'pipe';
    if (taken(cursor, BLANK) || taken(cursor, COMMENT)) continue;
    const redirect = taken(cursor, REDIRECT)?.[0].replace(/^\d+/, '');
    if (redirect) readRedirect(reading, redirect);
    else if (isArithmeticCommand(reading)) continue;
    else {
      const operator = taken(cursor, OPERATOR)?.[0];
      if (operator === undefined) readAtCommand(reading);
      else if (operator === ')' && !reading.groups.some(({ kind }) => kind === 'subshell')) {
        if (endsHere(reading, close)) return;
      } else operate(reading, operator);
    }
  }
  flush(reading);
  if (cursor.hereDocuments.length > 0) readHereDocuments(reading);
  if (close) fail(cursor, 'a parenthesis is not closed', true);
  else if (reading.groups.length > 0) fail(cursor, 'a compound command is not closed', true);
}

/** A parenthesis that no subshell opened. */
function endsHere(reading: Reading, close: ')' | undefined): boolean {
  flush(reading);
  if (!close) fail(reading.cursor, 'a parenthesis was never opened', false);
  else {
    reading.events.push({ kind: 'close' });
    if (reading.groups.length > 0) fail(reading.cursor, 'a compound command is not closed', false);
  }
  return close !== undefined;
}

function flush(reading: Reading): void {
  const { words, redirects, joint, fed } = reading;
  if (words.length + redirects.length === 0) return;
  reading.events.push({ kind: 'command', words, redirects, joint, fed: fed || joint === 'pipe' });
  if (!reading.nested && reading.groups.length === 0 && joint === 'then') assign(reading, words);
  [reading.words, reading.redirects] = [[], []];
}

/** A variable that is set in one place, and always, is known from there on. */
function assign({ cursor, isAssignedOnce }: Reading, words: readonly Word[]): void {
  const given = words[0]?.text === 'export' ? words.slice(1) : words;
  const settings = given.map(({ text }) => /^([A-Za-z_]\w*)=([^]*)$/.exec(text));
  if (settings.length > 20 || settings.some((setting) => !setting)) return;
  for (const setting of settings) {
    const [, name = '', value = ''] = setting ?? [];
    if (isAssignedOnce(name) && !value.includes(UNKNOWN)) cursor.variables = boundTo(cursor.variables, name, [value]);
  }
}

function operate(reading: Reading, operator: string): void {
  const { cursor, groups } = reading;
  if (operator === '(' && reading.words.length > 0) return readFunctionHead(reading);
  flush(reading);
  if (operator === '(') return open(reading, 'subshell');
  if (operator === ')') return closeGroup(reading);
  if (operator === '\n' && cursor.hereDocuments.length > 0) readHereDocuments(reading);
  reading.joint = JOINTS[operator] ?? 'then';
  if (operator.startsWith(';;') || operator === ';&') {
    if (groups.at(-1)?.kind === 'case') readPatterns(reading);
    else fail(cursor, 'an operator is out of place', false);
  }
}

const JOINTS: Readonly<Record<string, Joint>> = { '&&': 'and', '||': 'or', '|': 'pipe', '|&': 'pipe' };

function open(reading: Reading, kind: Group['kind']): void {
  const { events, functionName: name, fed, joint } = reading;
  reading.groups.push({ kind, from: events.length, fed });
  events.push({ kind: 'open', subshell: kind === 'subshell', joint, ...(name !== undefined && { name }) });
  delete reading.functionName;
  reading.fed = fed || joint === 'pipe';
  reading.joint = 'then';
}

/** What is redirected into a group is the input of every command in it. */
function closeGroup(reading: Reading): void {
  const { cursor, groups, events } = reading;
  const group = groups.pop();
  if (!group) return fail(cursor, 'a compound command was never opened', false);
  reading.fed = group.fed;
  events.push({ kind: 'close' });
  if (!/^[ \t]*\d*</.test(cursor.source.slice(cursor.at, cursor.at + 100))) return;
  spend(cursor, events.length - group.from);
  for (const event of events.slice(group.from)) if (event.kind === 'command') event.fed = true;
}

/** `name ()`: what follows is a function. Anything else in front of a parenthesis is a mistake, or an array. */
function readFunctionHead(reading: Reading): void {
  const { cursor, words } = reading;
  const [head] = words;
  if (words.length === 1 && head && taken(cursor, /[ \t]*\)\s*/y)) {
    reading.functionName = head.text;
    reading.words = [];
  } else if (words.at(-1)?.text.endsWith('=')) {
    // What an array is filled with is not run, but its substitutions are; they are read as words of this command.
    deeper(cursor, () => readArray(reading));
  } else fail(cursor, 'a parenthesis is out of place', false);
}

function readArray({ cursor, words }: Reading): void {
  while (cursor.at < cursor.source.length && spend(cursor, 1)) {
    if (taken(cursor, /\s+/y) || taken(cursor, COMMENT)) continue;
    if (taken(cursor, /\)/y)) {
      words.splice(-1, 1, { text: `${words.at(-1)?.text ?? ''}${UNKNOWN}`, splits: false });
      return;
    }
    readWords(cursor);
  }
  fail(cursor, 'a parenthesis is not closed', true);
}

/** `((…))` where a command may stand. */
function isArithmeticCommand({ cursor, words }: Reading): boolean {
  if (words.length > 0 || !cursor.source.startsWith('((', cursor.at)) return false;
  const end = endOfArithmetic(cursor);
  if (end !== undefined) readArithmetic(cursor, end);
  return end !== undefined;
}

const STAYS = new Set(['then', 'do', 'else', 'elif', '!', 'time', 'coproc']);
const OPENS = new Set(['if', 'while', 'until', '{']);
const CLOSES = new Set(['fi', 'done', '}', 'esac']);

function readAtCommand(reading: Reading): void {
  const { cursor } = reading;
  const began = cursor.at;
  const words = readWords(cursor);
  const [word] = words;
  const isLiteral = words.length === 1 && cursor.source.slice(began, cursor.at) === word?.text;
  if (reading.words.length > 0 || !word || !isLiteral) return void reading.words.push(...words);
  const { text } = word;
  if (OPENS.has(text)) open(reading, 'block');
  else if (CLOSES.has(text)) closeGroup(reading);
  else if (text === 'for' || text === 'select') readLoop(reading);
  else if (text === 'case') readCase(reading);
  else if (text === '[[') readTest(reading);
  else if (text === 'function') readFunctionName(reading);
  else if (STAYS.has(text)) reading.joint = text === '!' || text === 'time' ? reading.joint : 'then';
  else reading.words.push(word);
}

function readFunctionName(reading: Reading): void {
  taken(reading.cursor, BLANK);
  reading.functionName = readWords(reading.cursor)[0]?.text ?? '';
  taken(reading.cursor, /[ \t]*\([ \t]*\)\s*/y);
}

/** `for NAME in WORDS`: from here on the name may hold any of them. */
function readLoop(reading: Reading): void {
  const { cursor } = reading;
  open(reading, 'block');
  taken(cursor, BLANK);
  if (cursor.source.startsWith('((', cursor.at)) return;
  const name = readWords(cursor)[0]?.text ?? '';
  taken(cursor, /\s+/y);
  const values: Word[] = [];
  if (taken(cursor, /in(?=\s)/y))
    while (cursor.at < cursor.source.length && !/[;\n]/.test(cursor.source[cursor.at] ?? '') && spend(cursor, 1))
      if (!taken(cursor, BLANK) && !taken(cursor, COMMENT)) values.push(...readWords(cursor));
  const isKnown = reading.isAssignedOnce(name) && values.length > 0 && !values.some(({ splits }) => splits);
  const texts = values.map(({ text }) => text);
  if (isKnown && !texts.some((text) => text.includes(UNKNOWN)))
    cursor.variables = boundTo(cursor.variables, name, texts);
}

function readCase(reading: Reading): void {
  const { cursor } = reading;
  open(reading, 'case');
  taken(cursor, BLANK);
  readWords(cursor);
  taken(cursor, /(?:\s|\\\n)+/y);
  if (taken(cursor, /in(?=\s)/y)) readPatterns(reading);
  else fail(cursor, 'a case has no list', true);
}

/** The patterns of one branch, up to their parenthesis. */
function readPatterns(reading: Reading): void {
  const { cursor } = reading;
  reading.joint = 'then';
  while (taken(cursor, /\s+/y) || taken(cursor, COMMENT));
  if (taken(cursor, /esac(?![\w-])/y)) return closeGroup(reading);
  taken(cursor, /\(/y);
  while (cursor.at < cursor.source.length && spend(cursor, 1)) {
    if (taken(cursor, BLANK) || taken(cursor, /\|/y)) continue;
    if (taken(cursor, /\)/y)) return;
    if (/[\n;&(]/.test(cursor.source[cursor.at] ?? '')) break;
    readWords(cursor);
  }
  fail(cursor, 'the pattern of a case is not closed', true);
}

/** `[[ … ]]`: its operators look like those of commands and are not. */
function readTest({ cursor }: Reading): void {
  while (cursor.at < cursor.source.length && spend(cursor, 1)) {
    if (taken(cursor, /\]\](?=[\s;&|)]|$)/y)) return;
    if (!taken(cursor, /\s+|[;&|()]|[<>](?!\()/y)) readWords(cursor);
  }
  fail(cursor, 'a test is not closed', true);
}

function readRedirect(reading: Reading, operator: string): void {
  const { cursor } = reading;
  taken(cursor, BLANK);
  const began = cursor.at;
  const isHere = operator === '<<' || operator === '<<-';
  const targets = isHere ? [readDelimiter(cursor)] : readWords(cursor);
  for (const target of targets) {
    const redirect: Redirect = { operator, target, ...(operator === '<<<' && { body: target }) };
    reading.redirects.push(redirect);
    const quoted = /['"\\]/.test(cursor.source.slice(began, cursor.at));
    if (isHere) cursor.hereDocuments.push({ redirect, quoted, strips: operator === '<<-' });
  }
}

/** Nothing is expanded in a delimiter. */
function readDelimiter(cursor: Cursor): Word {
  const raw = taken(cursor, /(?:\\[^]|'[^']*'|"[^"]*"|[^\s;&|()<>'"\\])+/y)?.[0] ?? '';
  if (raw === '' || /[$`]/.test(raw)) fail(cursor, 'the end of a here-document cannot be told', raw === '');
  return { text: raw.replace(/\\([^])|['"]/g, '$1'), splits: false };
}

function readHereDocuments({ cursor }: Reading): void {
  for (const document of cursor.hereDocuments.splice(0)) {
    const text = bodyOf(cursor, document);
    if (document.quoted) document.redirect.body = { text, splits: false };
    else if (spend(cursor, Math.ceil(text.length / 8))) {
      const inner = within(cursor, text);
      deeper(inner, () => void (document.redirect.body = readBody(inner)));
      if (inner.problem) fail(cursor, inner.problem.why, false);
    }
  }
}

function bodyOf(cursor: Cursor, { redirect, strips }: HereDocument): string {
  const lines: string[] = [];
  while (cursor.at < cursor.source.length && spend(cursor, 1)) {
    const end = cursor.source.indexOf('\n', cursor.at);
    const raw = cursor.source.slice(cursor.at, end < 0 ? undefined : end);
    cursor.at = end < 0 ? cursor.source.length : end + 1;
    const line = strips ? raw.replace(/^\t+/, '') : raw;
    if (line === redirect.target.text) return lines.join('');
    lines.push(`${line}\n`);
  }
  fail(cursor, 'a here-document is not closed', true);
  return lines.join('');
}
