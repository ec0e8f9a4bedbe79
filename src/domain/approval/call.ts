/** A command of a script, as the rules look at it. */
import { UNKNOWN, type Redirect, type Steps, type Variables, type Word } from './shell-cursor.js';
import { isHarmlessDevice, resolved, type Homes } from './vital-path.js';

/** Where a script would run. `folders` are all in which a command of it may find itself. */
export type Scene = Homes & {
  readonly folders: readonly string[];
  readonly variables: Variables;
  readonly steps: Steps;
  readonly fed: boolean;
  /** How many scripts it is inside of. */
  readonly depth: number;
};

export type Call = {
  readonly name: string;
  readonly args: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** Its input is what another command wrote, or a file. */
  readonly fed: boolean;
  readonly scene: Scene;
};

export const isUnknown = ({ text }: Word): boolean => text.includes(UNKNOWN);
export const has = ({ args }: Call, option: RegExp): boolean => args.some(({ text }) => option.test(text));

/** Without the folders in which a program stands. */
export const baseName = (text: string): string => text.slice(text.lastIndexOf('/') + 1);

/** What is no option. */
export function targetsOf(args: readonly Word[]): readonly Word[] {
  const end = args.findIndex(({ text }) => text === '--');
  const options = end < 0 ? args : args.slice(0, end);
  return [...options.filter(({ text }) => !text.startsWith('-')), ...(end < 0 ? [] : args.slice(end + 1))];
}

/** Everything that a word may mean as a path. */
export const pathsOf = (text: string, { folders }: Scene): readonly string[] =>
  text.startsWith('/') ? [resolved(text, '/')] : folders.map((folder) => resolved(text, folder));

/** Nothing is written to a descriptor, or to a device that forgets it. */
export const isNoFile = (text: string): boolean => /^&?\d*-?$/.test(text) || isHarmlessDevice(text);
