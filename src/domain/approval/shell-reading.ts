/** What is kept while the commands of a script are read. */
import { fail, spend, UNKNOWN, type Cursor, type Redirect, type Word } from './shell-cursor.js';
import { boundTo } from './shell-variables.js';

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
export type Group = { readonly kind: 'subshell' | 'block' | 'case'; readonly from: number; readonly fed: boolean };

export type Reading = {
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

/** For a text that is read by itself. */
export function within(outer: Cursor, source: string): Cursor {
  const inner: Cursor = { ...outer, source, at: 0, hereDocuments: [] };
  delete inner.problem;
  return inner;
}
export const BLANK = /(?:[ \t\r]|\\\n)+/y;
export const COMMENT = /#[^\n]*/y;
export function flush(reading: Reading): void {
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
export function open(reading: Reading, kind: Group['kind']): void {
  const { events, functionName: name, fed, joint } = reading;
  reading.groups.push({ kind, from: events.length, fed });
  events.push({ kind: 'open', subshell: kind === 'subshell', joint, ...(name !== undefined && { name }) });
  delete reading.functionName;
  reading.fed = fed || joint === 'pipe';
  reading.joint = 'then';
}

/** What is redirected into a group is the input of every command in it. */
export function closeGroup(reading: Reading): void {
  const { cursor, groups, events } = reading;
  const group = groups.pop();
  if (!group) return fail(cursor, 'a compound command was never opened', false);
  reading.fed = group.fed;
  events.push({ kind: 'close' });
  if (!/^[ \t]*\d*</.test(cursor.source.slice(cursor.at, cursor.at + 100))) return;
  spend(cursor, events.length - group.from);
  for (const event of events.slice(group.from)) if (event.kind === 'command') event.fed = true;
}
