/** A command as the rules look at it, and what they find. */
import type { ShellCommand, Standing } from './shell-script.js';
import type { Steps } from './shell-tree.js';
import type { ShellWord } from './shell-word.js';
import { isHarmlessDevice, isVital, resolved, type Homes } from './vital-path.js';

/** A doubt is about what cannot be read; a danger was plainly seen. */
export type Finding = { readonly why: string; readonly kind: 'danger' | 'doubt' };

export const danger = (why: string): Finding => ({ kind: 'danger', why });
export const doubt = (why: string): Finding => ({ kind: 'doubt', why });

/** The first danger, or else the first doubt. */
export function worst<Item>(items: Iterable<Item>, find: (item: Item) => Finding | undefined): Finding | undefined {
  let doubted: Finding | undefined;
  for (const item of items) {
    const found = find(item);
    if (found?.kind === 'danger') return found;
    doubted ??= found;
  }
  return doubted;
}

/** Where a command would run. `folders` are all in which it may find itself. */
export type Scene = Homes &
  Standing & {
    readonly steps: Steps;
    readonly fed: boolean;
    /** How many scripts it is inside of. */
    readonly depth: number;
  };

export type Call = Pick<ShellCommand, 'redirects' | 'fed' | 'feeder'> & {
  readonly name: string;
  readonly args: readonly ShellWord[];
  readonly scene: Scene;
};

export const has = ({ args }: Pick<Call, 'args'>, option: RegExp): boolean =>
  args.some(({ text }) => option.test(text));

/** A program without its folders. */
export const baseName = (text: string): string => text.slice(text.lastIndexOf('/') + 1);

/** The arguments that are no options. */
export function targetsOf(args: readonly ShellWord[]): readonly ShellWord[] {
  const end = args.findIndex(({ text }) => text === '--');
  const options = end < 0 ? args : args.slice(0, end);
  return [...options.filter(({ text }) => !text.startsWith('-')), ...(end < 0 ? [] : args.slice(end + 1))];
}

/** Everything that a word may mean as a path. */
export const pathsOf = (text: string, { folders }: Pick<Scene, 'folders'>): readonly string[] =>
  text.startsWith('/') ? [resolved(text, '/')] : folders.map((folder) => resolved(text, folder));

export const isVitalIn = (text: string, scene: Scene): boolean =>
  pathsOf(text, scene).some((path) => isVital(path, scene));

/** Nothing is written to a descriptor, or to a device that forgets it. */
export const isNoFile = (text: string): boolean => /^&?\d*-?$/.test(text) || isHarmlessDevice(text);
