/** Commands that run other commands: what is in them, as far as it can be told. */
import { baseName, has, isVitalIn, targetsOf, type Call } from './shell-call.js';
import { INTERPRETER } from './code-strings.js';
import { FIND_RUNS, isDangerous, searchedBy } from './danger.js';
import { writesByArgument } from './files-used.js';
import { pay } from './shell-tree.js';
import { isUnknown, UNKNOWN, type ShellWord } from './shell-word.js';

const SHELL = /^(?:sh|bash|dash|zsh|ksh|mksh|ash|fish|rbash)$/;
const GIVES_SCRIPT = /^-[A-Za-z]*c$|^--command$/;

/** `perhaps` when it may be no script at all: then only a danger in it counts. */
export type NestedScript =
  | { readonly kind: 'script' | 'perhaps'; readonly script: string }
  | { readonly kind: 'unknown'; readonly why: string };

const UNKNOWN_SCRIPT: NestedScript = { kind: 'unknown', why: 'it is unclear what it runs' };
const FED: NestedScript = { kind: 'unknown', why: 'it runs its input as commands' };

/** What is not known of it is read as a variable. */
const script = (words: readonly ShellWord[], kind: 'script' | 'perhaps' = 'script'): readonly NestedScript[] => [
  { kind, script: words.map(({ text }) => text.replaceAll(UNKNOWN, '$_')).join(' ') },
];

export function scriptsIn(call: Call): readonly NestedScript[] {
  const { name, args } = call;
  const [first] = args;
  if (name === 'eval') return script(args);
  if (name === 'trap') return script(args.slice(0, 1));
  if (name === 'alias')
    return args.flatMap((word) => script([{ ...word, text: `${word.text.replace(/^[^=]*=?/, '')} $_` }]));
  if (name === 'source' || name === '.')
    return first && (first.text === '/dev/stdin' || isUnknown(first)) ? [UNKNOWN_SCRIPT] : [];
  if (name === 'ssh') return remoteScripts(call);
  return SHELL.test(name) || name === 'su' || name === 'runuser' ? shellScripts(call) : oneWordScripts(call);
}

/** The text that a here-document or here-string gives it as its input. */
const inputOf = ({ redirects }: Call): ShellWord | undefined =>
  redirects.findLast(({ operator }) => operator.startsWith('<'))?.body;

function shellScripts(call: Call): readonly NestedScript[] {
  const { args, fed } = call;
  const option = args.findIndex(({ text }) => GIVES_SCRIPT.test(text));
  const given = args.slice(option + 1).find(({ text }) => text !== '--');
  if (option >= 0) return script(given ? [given] : []);
  const file = args.find(({ text }) => !/^[-+]/.test(text) && text !== '/dev/stdin');
  if (file && !has(call, /^-[A-Za-z]*s$/)) return file.text.startsWith(UNKNOWN) ? [UNKNOWN_SCRIPT] : [];
  const input = inputOf(call);
  return input ? script([input]) : fed ? [FED] : [];
}

/** A shell elsewhere reads the words of the command once more, or its input where there are none. */
function remoteScripts(call: Call): readonly NestedScript[] {
  const { args } = call;
  const host = args.findIndex(
    ({ text }, index) => !text.startsWith('-') && !/^-[bcDEeFIiJLlmOopQRSWw]$/.test(args[index - 1]?.text ?? ''),
  );
  const remote = args.slice(host + 1);
  const input = inputOf(call);
  return remote.length > 0 ? script(remote, 'perhaps') : input ? script([input]) : [];
}

/** `watch 'a | b'`, `script -c 'a'`, `env -S 'a b'`: a script in one word. */
const oneWordScripts = ({ name, args }: Call): readonly NestedScript[] =>
  /^(?:watch|script|env|parallel|entr|flock|systemd-run|xargs)$/.test(name)
    ? args.filter(({ text }) => /\s/.test(text)).flatMap((word) => script([word], 'perhaps'))
    : [];

/** Takes what it is given as input for commands, here or in another place. */
export function isInteractiveShell(call: Call): boolean {
  const { name, args } = call;
  if (SHELL.test(name) || name === 'su')
    return (
      !has(call, GIVES_SCRIPT) &&
      (name === 'su' || has(call, /^-[A-Za-z]*s$/) || args.every(({ text }) => /^[-+]/.test(text)))
    );
  if (name === 'sudo' || name === 'doas') return has(call, /^(?:-[is]|--login|--shell)$/);
  if (IN_CONTAINER.test(name))
    return has(call, RUNS_WITHIN) && has(call, /^(?:-[a-z]*[it][a-z]*|--tty|--interactive|--stdin)$/);
  return /^(?:ssh|mosh|telnet|tmux|screen|script|expect)$/.test(name);
}

const WRAPPER =
  /^(?:sudo|doas|env|nice|ionice|nohup|timeout|setsid|stdbuf|unbuffer|command|builtin|exec|busybox|toybox|xargs|parallel|chroot|unshare|nsenter|strace|ltrace|watch|flock|script|time|chrt|taskset|systemd-run|caffeinate|ssh|mosh|entr|chronic|coproc)$/;
const IN_CONTAINER = /^(?:docker|podman|nerdctl|kubectl|oc|lxc|incus|machinectl)$/;
const RUNS_WITHIN = /^(?:exec|run|shell)$/;
const GATHERS = /^(?:xargs|parallel|entr)$/;

/** What comes behind the options of the wrapper; nothing for what is none. */
function wrapped({ name, args }: Call): readonly ShellWord[] {
  if (WRAPPER.test(name)) return args;
  const runs = IN_CONTAINER.test(name) ? RUNS_WITHIN : /^(?:find|fd)$/.test(name) ? FIND_RUNS : undefined;
  const action = args.findIndex(({ text }) => runs?.test(text) || (name === 'fd' && /^-[xX]$/.test(text)));
  return action < 0 ? [] : args.slice(action + 1);
}

/** What `xargs` adds to its command: something in the folders that a `find` before it searches, or anything. */
function gatheredBy({ name, feeder, scene }: Call, words: readonly ShellWord[]): readonly ShellWord[] {
  if (![name, ...words.slice(0, 50).map(({ text }) => text)].some((text) => GATHERS.test(text))) return [];
  const [source, ...args] = feeder?.words ?? [];
  const searched = source?.text === 'find' && GATHERS.test(name) ? searchedBy(args) : [];
  const isHarmless = searched.length > 0 && !searched.some(({ text }) => isVitalIn(text, scene));
  return isHarmless ? searched : [{ text: UNKNOWN, splits: true }];
}

const NAMES_USER = /^(?:-[ugU]|--user|--group)$/;
const OF_ITS_OWN =
  /^(?:git|npm|pnpm|yarn|bun|cargo|go|make|pip3?|apt|apt-get|dnf|yum|pacman|apk|brew|snap|dpkg|docker|podman|kubectl|systemctl|service|journalctl|grep|rg|ls|cat|echo|test|wc)$/;

/**
 * The command of a wrapper. Where its options end is the wrapper's own affair, so it begins at the first word that is a
 * program we know; `isUnknown` when only the shell will know which one it is.
 */
export function programWithin(call: Call): { readonly program?: readonly ShellWord[]; readonly isUnknown: boolean } {
  const words = wrapped(call);
  if (!pay(call.scene.steps, words.length)) return { isUnknown: false };
  const names = words.map(({ text }, index) => {
    const isOption = text.startsWith('-') || NAMES_USER.test(words[index - 1]?.text ?? '');
    return isOption ? '' : baseName(text);
  });
  const known = names.findIndex((name) => OF_ITS_OWN.test(name) || isOfInterest(name));
  const head = targetsOf(words).find(({ text }) => !/^[A-Za-z_]\w*=/.test(text));
  const mayBeAny = call.name === 'ssh' || IN_CONTAINER.test(call.name);
  const unknown = !mayBeAny && baseName(head?.text ?? '').includes(UNKNOWN);
  if (known < 0 || !isOfInterest(names[known] ?? '')) return { isUnknown: unknown };
  return { program: [...words.slice(known), ...gatheredBy(call, words)], isUnknown: unknown };
}

const isOfInterest = (name: string): boolean =>
  isDangerous(name) ||
  SHELL.test(name) ||
  INTERPRETER.test(name) ||
  writesByArgument(name) ||
  /^(?:su|runuser|eval|source|rouse(?:\.[cm]?js)?|npx|bunx|pnpx|npm|pnpm|yarn)$/.test(name);
