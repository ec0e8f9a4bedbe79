/** The place in a shell script up to which it is read, shared by the readers of words and of commands. */

/** Stands in a word for what only the shell will know. */
export const UNKNOWN = '\ufffc';

/** How much work is left. Everything that reads or judges a script takes from the same number, so the whole is bounded. */
export type Steps = { left: number };

/** False when there are not enough left; then none are, and nothing more is to be done. */
export function pay(steps: Steps, cost: number): boolean {
  steps.left = cost <= steps.left ? steps.left - cost : -1;
  return steps.left >= 0;
}

/** `splits` when it may turn into several words, into none, or into one of several. */
export type Word = { readonly text: string; readonly splits: boolean };

/** What a variable may hold, where that is known. */
export type Variables = Readonly<Record<string, readonly string[]>>;

/** Why a script was not read to its end; `open` when more text could complete it. */
export type Problem = { readonly why: string; readonly open: boolean };

export type Redirect = {
  readonly operator: string;
  readonly target: Word;
  /** The text of a here-document or here-string. */
  body?: Word;
};

export type HereDocument = {
  readonly redirect: Redirect;
  readonly strips: boolean;
  readonly quoted: boolean;
};

export type Cursor = {
  readonly source: string;
  readonly steps: Steps;
  /** Reads the commands of a substitution up to its closing parenthesis, or to the end of the source. */
  readonly readNested: (cursor: Cursor, close: ')' | undefined) => void;
  /** The same for text that is a script of its own: what stands between backticks. */
  readonly readApart: (source: string, cursor: Cursor) => void;
  readonly hereDocuments: HereDocument[];
  variables: Variables;
  /** The command that is read has its input from another one. */
  fed: boolean;
  at: number;
  depth: number;
  problem?: Problem;
};

/** Where the shell's own reading could differ, nothing that follows would mean anything. */
export function fail(cursor: Cursor, why: string, open: boolean): void {
  cursor.problem ??= { why, open };
  if (!open) cursor.at = cursor.source.length;
}

/** False when the budget is used up: then nothing more is read. */
export function spend(cursor: Cursor, steps: number): boolean {
  if (pay(cursor.steps, steps)) return true;
  cursor.problem = { why: TOO_LONG, open: false };
  cursor.at = cursor.source.length;
  return false;
}

export const TOO_LONG = 'it takes too long to read';

/** Takes what the pattern finds here, if it does. */
export function taken(cursor: Cursor, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.source);
  if (!found) return undefined;
  cursor.at = pattern.lastIndex;
  return found;
}

const DEEPEST = 40;

/** Keeps nesting within bounds, because every level costs stack; beyond them nothing more is read. */
export function deeper(cursor: Cursor, read: () => void): void {
  if (cursor.depth >= DEEPEST) {
    fail(cursor, 'it is nested too deeply', false);
    return;
  }
  cursor.depth += 1;
  read();
  cursor.depth -= 1;
}
