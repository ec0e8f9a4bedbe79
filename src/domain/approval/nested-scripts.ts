/** Commands that run other commands: what is in them, as far as it can be told. */
import { baseName, isUnknown, targetsOf, type Call } from './call.js';
import { INTERPRETER } from './code-strings.js';
import { FIND_RUNS, isDangerous } from './danger.js';
import { pay, UNKNOWN, type Word } from './shell-cursor.js';
import { writesByArgument } from './writes.js';

export const SHELL = /^(?:sh|bash|dash|zsh|ksh|mksh|ash|fish|rbash)$/;

/** `perhaps` when it may be no script at all: then only a danger in it counts. */
export type NestedScript =
  | { readonly kind: 'script' | 'perhaps'; readonly script: string }
  | { readonly kind: 'unknown'; readonly why: string };

const UNKNOWN_SCRIPT: NestedScript = { kind: 'unknown', why: 'it cannot be told what it runs' };
const FED: NestedScript = { kind: 'unknown', why: 'it runs whatever it is fed' };

/** What is not known of it is read as a variable. */
const script = (words: readonly Word[], kind: 'script' | 'perhaps' = 'script'): readonly NestedScript[] => [
  { kind, script: words.map(({ text }) => text.replaceAll(UNKNOWN, '$_')).join(' ') },
];

export function scriptsIn(call: Call): readonly NestedScript[] {
  const { name, args } = call;
  if (name === 'eval') return script(args);
  if (name === 'trap') return script(args.slice(0, 1));
  if (name === 'alias')
    return args.flatMap((word) => script([{ ...word, text: `${word.text.replace(/^[^=]*=?/, '')} $_` }]));
  if (name === 'source' || name === '.')
    return args[0]?.text === '/dev/stdin' || args.slice(0, 1).some(isUnknown) ? [UNKNOWN_SCRIPT] : [];
  if (name === 'ssh') return remoteScripts(call);
  return SHELL.test(name) || name === 'su' || name === 'runuser' ? shellScripts(call) : oneWordScripts(call);
}

function shellScripts({ args, redirects, fed }: Call): readonly NestedScript[] {
  const given = args.findIndex(({ text }) => /^-[A-Za-z]*c$|^--command$/.test(text));
  if (given >= 0)
    return script(
      args
        .slice(given + 1)
        .filter(({ text }) => text !== '--')
        .slice(0, 1),
    );
  const file = args.find(({ text }) => !/^[-+]/.test(text) && text !== '/dev/stdin');
  const readsInput = !file || args.some(({ text }) => /^-[A-Za-z]*s$/.test(text));
  if (!readsInput) return file && file.text.startsWith(UNKNOWN) ? [UNKNOWN_SCRIPT] : [];
  const body = redirects.findLast(({ operator }) => operator.startsWith('<'))?.body;
  if (body) return script([body]);
  return fed ? [FED] : [];
}

/** Takes what it is given as input for commands, here or in another place. */
export function isInteractiveShell({ name, args }: Call): boolean {
  const has = (option: RegExp): boolean => args.some(({ text }) => option.test(text));
  if (SHELL.test(name) || name === 'su')
    return (
      !has(/^-[A-Za-z]*c$|^--command$/) &&
      (name === 'su' || has(/^-[A-Za-z]*s$/) || !args.some(({ text }) => !/^[-+]/.test(text)))
    );
  if (name === 'sudo' || name === 'doas') return has(/^(?:-[is]|--login|--shell)$/);
  if (IN_CONTAINER.test(name))
    return has(/^(?:exec|run|shell)$/) && has(/^(?:-[a-z]*[it][a-z]*|--tty|--interactive|--stdin)$/);
  return /^(?:ssh|mosh|telnet|tmux|screen|script|expect)$/.test(name);
}

/** A shell elsewhere reads the words of the command once more, or its input where there are none. */
function remoteScripts({ args, redirects }: Call): readonly NestedScript[] {
  const host = args.findIndex(
    ({ text }, index) => !text.startsWith('-') && !/^-[bcDEeFIiJLlmOopQRSWw]$/.test(args[index - 1]?.text ?? ''),
  );
  const remote = args.slice(host + 1);
  const body = redirects.findLast(({ operator }) => operator.startsWith('<'))?.body;
  return remote.length > 0 ? script(remote, 'perhaps') : body ? script([body]) : [];
}

const WRAPPER =
  /^(?:sudo|doas|env|nice|ionice|nohup|timeout|setsid|stdbuf|unbuffer|command|builtin|exec|busybox|toybox|xargs|parallel|chroot|unshare|nsenter|strace|ltrace|watch|flock|script|time|chrt|taskset|systemd-run|caffeinate|ssh|mosh|entr|chronic|coproc)$/;
const IN_CONTAINER = /^(?:docker|podman|nerdctl|kubectl|oc|lxc|incus|machinectl)$/;
const GATHERS = /^(?:xargs|parallel|entr)$/;

/** What comes behind the options of the wrapper; nothing for what is none. */
function wrapped({ name, args }: Call): readonly Word[] {
  if (WRAPPER.test(name)) return args;
  const action = args.findIndex(({ text }) =>
    name === 'find' || name === 'fd' ? FIND_RUNS.test(text) || /^-[xX]$/.test(text) : /^(?:exec|run|shell)$/.test(text),
  );
  return action >= 0 && (name === 'find' || name === 'fd' || IN_CONTAINER.test(name)) ? args.slice(action + 1) : [];
}

/** `watch 'a | b'`, `script -c 'a'`, `env -S 'a b'`, `ssh host 'a b'`: a script in one word. */
const oneWordScripts = (call: Call): readonly NestedScript[] =>
  /^(?:watch|script|env|parallel|entr|flock|systemd-run|xargs)$/.test(call.name)
    ? call.args.filter(({ text }) => /\s/.test(text)).flatMap((word) => script([word], 'perhaps'))
    : [];

const NAMES_USER = /^(?:-[ugU]|--user|--group)$/;
const OF_ITS_OWN =
  /^(?:git|npm|pnpm|yarn|bun|cargo|go|make|pip3?|apt|apt-get|dnf|yum|pacman|apk|brew|snap|dpkg|docker|podman|kubectl|systemctl|service|journalctl|grep|rg|ls|cat|echo|test|wc)$/;

/**
 * Every word at which the command of a wrapper may begin: where its options end is the wrapper's own affair. The first
 * that is a program we know is the last, because what follows are its arguments.
 */
export function programWithin(call: Call): {
  readonly candidates: readonly (readonly Word[])[];
  readonly isUnknown: boolean;
} {
  const words = wrapped(call);
  const gathers = [call.name, ...words.slice(0, 50).map(({ text }) => text)].some((text) => GATHERS.test(text));
  const all = gathers ? [...words, { text: UNKNOWN, splits: true }] : words;
  const candidates: (readonly Word[])[] = [];
  if (!pay(call.scene.steps, words.length)) return { candidates: [], isUnknown: false };
  for (const [index, word] of words.entries()) {
    const name = baseName(word.text);
    if (
      word.text.startsWith('-') ||
      isUnknown({ ...word, text: name }) ||
      NAMES_USER.test(words[index - 1]?.text ?? '')
    )
      continue;
    if (isOfInterest(name)) candidates.push(all.slice(index));
    if (OF_ITS_OWN.test(name) || candidates.length > 0) break;
  }
  const head = targetsOf(words).find(({ text }) => !/^[A-Za-z_]\w*=/.test(text));
  const unknown =
    call.name !== 'ssh' &&
    !IN_CONTAINER.test(call.name) &&
    head !== undefined &&
    isUnknown({ ...head, text: baseName(head.text) });
  return { candidates, isUnknown: unknown };
}

const isOfInterest = (name: string): boolean =>
  isDangerous(name) ||
  SHELL.test(name) ||
  INTERPRETER.test(name) ||
  writesByArgument(name) ||
  /^(?:su|runuser|eval|source|rouse(?:\.[cm]?js)?|npx|bunx|pnpx|npm|pnpm|yarn)$/.test(name);
