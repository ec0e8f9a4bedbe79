/**
 * Reads a shell script far enough to know which commands it may run, with which words, in which order.
 *
 *   1. Every command that a shell would run is in the list, also out of substitutions, functions and branches.
 *   2. Here-documents are text, except where the shell expands them.
 *   3. What it cannot read is a problem that the caller must not take for harmless.
 *   4. The work is bounded by the steps it is given.
 */
import { readHereDocuments, readRedirect } from './here-document.js';
import { isArithmeticCommand, readAtCommand, readFunctionHead, readPatterns } from './shell-compound.js';
import { fail, spend, taken, UNKNOWN, type Cursor, type Problem, type Steps, type Variables } from './shell-cursor.js';
import {
  BLANK,
  closeGroup,
  COMMENT,
  flush,
  open,
  within,
  type Joint,
  type Reading,
  type ShellEvent,
} from './shell-reading.js';
import { assignedOnce } from './shell-variables.js';

export type Script = {
  readonly events: readonly ShellEvent[];
  readonly variables: Variables;
  readonly problem?: Problem;
};
export type Setting = { readonly variables: Variables; readonly steps: Steps; readonly fed: boolean };

/** To begin a script of its own costs as much as to read so many characters. */
const STEPS_A_SCRIPT = 20;

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
    if (!spend(outer, text.length + STEPS_A_SCRIPT)) return;
    events.push({ kind: 'open', subshell: true, joint: 'then' });
    readCommands(reading(inner, true), undefined);
    events.push({ kind: 'close' });
    if (inner.problem) fail(outer, inner.problem.why, false);
  };
  if (source.includes(UNKNOWN)) fail(cursor, 'it holds a character that stands for something else', false);
  if (spend(cursor, Math.ceil(source.length / 8))) readCommands(reading(cursor, false), undefined);
  return { events, variables: cursor.variables, ...(cursor.problem && { problem: cursor.problem }) };
}

const OPERATOR = /&&|\|\||;;&?|;&|\|&|[;&|()\n]/y;
const REDIRECT = /\d*(?:<<<|<<-?|<>|<&|>&|>>|>\||&>>|&>|<(?!\()|>(?!\())/y;

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
