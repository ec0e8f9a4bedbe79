/**
 * Which commands a person should see before they run.
 *
 * The list is small: what cannot be undone and is hardly ever meant. It is a net for accidents and for text that talks an
 * agent into something, not a sandbox: a program that is run may do whatever it likes.
 *
 *   1. A command is judged by what it would run, however it is quoted, spelled, wrapped or nested.
 *   2. What cannot be read, or whose meaning only the shell will know, is risky where it matters: as the name of a
 *      command, as what is deleted with all that is in it, as what a shell is given to run.
 */
import {
  dangers,
  FIND_RUNS,
  first,
  has,
  isUnknown,
  riskOfRedirects,
  type Call,
  type Scene,
  type Surroundings,
} from './danger.js';
import { readScript, UNKNOWN, type ShellCommand, type Word } from './shell-words.js';
import { resolved } from './vital-path.js';

export type { Surroundings } from './danger.js';

export type Risk = { readonly kind: 'plain' } | { readonly kind: 'risky'; readonly why: string };

export function risk(command: string, where: Surroundings): Risk {
  const variables = { HOME: where.home, ROUSE_HOME: where.rouseHome };
  const why = isForkBomb(command)
    ? 'it starts itself without end'
    : riskOf(command, { ...where, variables, fed: false }, 0);
  return why === undefined ? { kind: 'plain' } : { kind: 'risky', why };
}

/** A function that starts itself twice, whatever it is called. */
const isForkBomb = (command: string): boolean =>
  /(?<![^;&|(){}])([^;&|(){}]{1,64})\(\)[{(][^]{0,200}?\1\|\1&/.test(command.replace(/\s/g, ''));

const DEEPEST = 8;
const LONGEST = 300;

function riskOf(script: string, scene: Scene, depth: number): string | undefined {
  if (depth > DEEPEST) return 'it is nested too deeply to be read';
  const { commands, variables, unreadable } = readScript(script, scene.variables);
  if (unreadable) return `it cannot be read with certainty: ${unreadable}`;
  if (commands.length > LONGEST) return 'it is too long to be read';
  const inside = { ...scene, variables };
  const folders = foldersOf(commands, inside);
  const rules: readonly Rule[] = [...dangers, runsScript, runsAnother, spellsOut];
  return first(
    commands,
    (command) =>
      riskOfRedirects(command, folders, inside) ??
      riskOfWords(unwrapped(command.words), { command, folders, scene: inside, depth }, rules),
  );
}

/** Every folder in which a command of the script may find itself. */
const foldersOf = (commands: readonly ShellCommand[], { cwd, home }: Scene): readonly string[] => [
  cwd,
  ...commands
    .map(({ words }) => unwrapped(words))
    .filter(([name]) => name?.text === 'cd' || name?.text === 'pushd')
    .map((words) => resolved(words.findLast(({ text }) => !text.startsWith('-') && text !== 'cd')?.text ?? home, cwd)),
];

const KEYWORDS = new Set(['if', 'then', 'else', 'elif', 'do', 'while', 'until', '!', '{', '}', 'time', 'coproc']);
const LISTS = new Set(['for', 'select', 'case']);
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

/** Without what stands before the name of the command. */
function unwrapped(words: readonly Word[]): readonly Word[] {
  const [head, ...rest] = words;
  if (!head) return [];
  if (KEYWORDS.has(head.text) || ASSIGNMENT.test(head.text)) return unwrapped(rest);
  if (head.text === 'function') return unwrapped(rest.slice(1));
  if (!LISTS.has(head.text)) return words;
  const body = rest.findIndex(({ text }) => text === 'do');
  return body < 0 ? [] : unwrapped(rest.slice(body));
}

type Rule = (call: Call) => string | undefined;

function riskOfWords(
  words: readonly Word[],
  around: Omit<Call, 'name' | 'args'>,
  rules: readonly Rule[],
): string | undefined {
  const [head, ...args] = words;
  if (!head) return undefined;
  if (isUnknown(head) || (/[*?[]/.test(head.text) && !/^\[\[?$/.test(head.text)))
    return 'it cannot be told which program it runs';
  return first(rules, (rule) => rule({ ...around, name: head.text.replace(/^.*\//, ''), args }));
}

const SHELL = /^(?:sh|bash|dash|zsh|ksh|mksh|ash|fish|rbash)$/;

function runsScript(call: Call): string | undefined {
  const { name, args } = call;
  if (name === 'eval' || name === 'trap' || name === 'alias') return riskOfText(call, args);
  if (name === 'source' || name === '.')
    return args[0]?.text === '/dev/stdin' || args.some(isUnknown) ? 'it cannot be told what it runs' : undefined;
  if (!SHELL.test(name) && name !== 'su') return undefined;
  const given = args.findIndex(({ text }) => /^-[A-Za-z]*c$|^--command$/.test(text));
  if (given >= 0) return riskOfText(call, args.slice(given + 1));
  const file = args.find(({ text }) => !text.startsWith('-') && text !== '/dev/stdin');
  if (file && isUnknown(file)) return 'it cannot be told what it runs';
  return isFed(call) && (!file || has(call, /^-[A-Za-z]*s$/)) ? 'it runs whatever it is fed' : undefined;
}

const isFed = ({ command, scene }: Call): boolean =>
  scene.fed || command.piped || command.redirects.some(({ operator }) => operator.startsWith('<'));

/** Words that a shell will read as a script: each by itself, and all together. */
function riskOfText(call: Call, words: readonly Word[]): string | undefined {
  if (words.some(isUnknown)) return 'it runs a text that only the shell will know';
  if (words.length > LONGEST) return 'it is too long to be read';
  const texts = words.map(({ text }) => text);
  return first([texts.join(' '), ...texts, ...texts.map((text) => text.replace(/^\w+=/, ''))], (text) =>
    first(call.folders, (cwd) => riskOf(text, { ...call.scene, cwd, fed: isFed(call) }, call.depth + 1)),
  );
}

const WRAPPER =
  /^(?:sudo|doas|env|nice|ionice|nohup|timeout|setsid|stdbuf|command|builtin|exec|busybox|toybox|xargs|parallel|chroot|unshare|nsenter|strace|watch|flock|script|time|chrt|taskset|systemd-run)$/;
const GATHERS = /^(?:xargs|parallel)$/;

/** Where the options of a wrapper end is its own affair: the command may begin at any of its words. */
function runsAnother(call: Call): string | undefined {
  const action = call.name === 'find' ? call.args.findIndex(({ text }) => FIND_RUNS.test(text)) : -1;
  if (action < 0 && !WRAPPER.test(call.name)) return undefined;
  const words = call.args.slice(action + 1);
  const gathers = [call.name, ...words.map(({ text }) => text)].some((text) => GATHERS.test(text));
  const more: readonly Word[] = gathers ? [{ text: UNKNOWN, splits: true }] : [];
  return riskOfNested(call, [...words, ...more]) ?? nameIsUnknown(words) ?? riskOfOneWord(call);
}

function riskOfNested(call: Call, words: readonly Word[]): string | undefined {
  if (words.length > LONGEST) return 'it is too long to be read';
  const beginnings = words.flatMap((head, index) =>
    /^[^-]/.test(head.text) && !isUnknown(head) ? [words.slice(index)] : [],
  );
  return first(beginnings, (rest) => riskOfWords(unwrapped(rest), call, [...dangers, runsScript, spellsOut]));
}

/** Options and settings may be unknown; the first word that is neither is the program. */
function nameIsUnknown(words: readonly Word[]): string | undefined {
  const head = words.find(({ text }) => !text.startsWith('-') && !ASSIGNMENT.test(text));
  return head && isUnknown(head) ? 'it cannot be told which program it runs' : undefined;
}

/** `watch 'a | b'`, `script -c 'a'`, `env -S 'a b'`: a script in one word. */
const riskOfOneWord = (call: Call): string | undefined =>
  first(
    call.args.filter((word) => !isUnknown(word) && /\s/.test(word.text)),
    (word) => riskOfText(call, [word]),
  );

const INTERPRETER = /^(?:python[\d.]*|perl|ruby|node|bun|deno|php|lua|awk|gawk|mawk|osascript)$/;

/** A program in another language is not read, but the commands that it spells out are. */
function spellsOut(call: Call): string | undefined {
  if (!INTERPRETER.test(call.name)) return undefined;
  const strings = call.args.flatMap(({ text }) =>
    [...text.matchAll(/(["'`])((?:(?!\1)[^])*)\1/g)].map(([, , inner]) => inner),
  );
  return first(strings, (inner) => {
    const found = readScript(inner ?? '', call.scene.variables);
    return found.unreadable ? undefined : riskOf(inner ?? '', call.scene, call.depth + 1);
  });
}
