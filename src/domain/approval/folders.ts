/** In which folders a command of a script may find itself, by the `cd` before it. */
import { UNKNOWN } from './shell-cursor.js';
import type { Joint, ShellCommand } from './shell-reading.js';
import { resolved, SOMEWHERE } from './vital-path.js';

/** `here` when everything before it in its list succeeded; `otherwise` when something failed. */
export type Whereabouts = {
  readonly here: readonly string[];
  readonly otherwise: readonly string[];
  /** The script ends at the first failure. */
  readonly strict: boolean;
  /** What follows is not reached: the script, the function or the loop was left. */
  readonly left: boolean;
};

export const startIn = (folders: readonly string[], strict = false): Whereabouts => ({
  here: folders,
  otherwise: [],
  strict,
  left: false,
});

const MOST = 12;

/** Beyond a number of possible folders it may be any. */
const united = (...lists: readonly (readonly string[])[]): readonly string[] => {
  const all = [...new Set(lists.flat())];
  return all.length > MOST ? [...all.slice(0, MOST - 1), SOMEWHERE] : all;
};

/** A list ends where neither `&&` nor `||` goes on: then it may have succeeded or failed. */
export function beforeCommand(where: Whereabouts, joint: Joint): Whereabouts {
  if (joint === 'and' || joint === 'or') return where;
  return { ...where, here: where.strict ? where.here : united(where.here, where.otherwise), otherwise: [] };
}

export const foldersFor = (where: Whereabouts, joint: Joint): readonly string[] =>
  joint === 'or' ? united(where.here, where.otherwise) : where.here;

export function afterCommand(
  where: Whereabouts,
  { words, joint }: ShellCommand,
  { home }: { readonly home: string },
): Whereabouts {
  const [name, ...args] = words.map(({ text }) => text);
  if (/^(?:exit|return|break|continue)$/.test(name ?? ''))
    return joint === 'or' ? { ...where, otherwise: [] } : { ...where, left: true };
  if (name === 'set' && args.some((option) => /^-[a-z]*e/.test(option))) return { ...where, strict: true };
  if (name === 'popd') return { ...where, here: united(where.here, [SOMEWHERE]) };
  if (name !== 'cd' && name !== 'pushd') return where;
  const target = args.findLast((text) => !/^-[A-Za-z]/.test(text)) ?? home;
  const moved = where.here.map((folder) =>
    target === '-' || target === UNKNOWN ? SOMEWHERE : resolved(target, folder),
  );
  return { ...where, here: united(moved), otherwise: united(where.here, where.otherwise) };
}

export type Opening = { readonly before: Whereabouts; readonly subshell: boolean; readonly joint: Joint };

/** A subshell leaves its folder behind; any other group may have run, or not. */
export function afterClose(inside: Whereabouts, { before, subshell, joint }: Opening): Whereabouts {
  if (joint === 'or' && inside.left) return { ...before, otherwise: [] };
  return subshell ? before : { ...before, here: united(inside.here, inside.otherwise, before.here) };
}
