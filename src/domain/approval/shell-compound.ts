/** Loops, branches, functions, tests and arrays: what stands where a command may stand and is none. */
import { deeper, fail, spend, taken, UNKNOWN, type Word } from './shell-cursor.js';
import { BLANK, closeGroup, COMMENT, open, type Reading } from './shell-reading.js';
import { boundTo } from './shell-variables.js';
import { endOfArithmetic, readArithmetic, readWords } from './shell-words.js';

/** `name ()`: what follows is a function. Anything else in front of a parenthesis is a mistake, or an array. */
export function readFunctionHead(reading: Reading): void {
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
export function isArithmeticCommand({ cursor, words }: Reading): boolean {
  if (words.length > 0 || !cursor.source.startsWith('((', cursor.at)) return false;
  const end = endOfArithmetic(cursor);
  if (end !== undefined) readArithmetic(cursor, end);
  return end !== undefined;
}

const STAYS = new Set(['then', 'do', 'else', 'elif', '!', 'time', 'coproc']);
const OPENS = new Set(['if', 'while', 'until', '{']);
const CLOSES = new Set(['fi', 'done', '}', 'esac']);

export function readAtCommand(reading: Reading): void {
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
export function readPatterns(reading: Reading): void {
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
