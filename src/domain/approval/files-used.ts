/** Which files a command reads or writes that a person should know of first; and whether it runs Rouse itself. */
import { filesIn } from '../session/names.js';
import {
  baseName,
  danger,
  doubt,
  has,
  isNoFile,
  pathsOf,
  targetsOf,
  worst,
  type Call,
  type Finding,
  type Scene,
} from './shell-call.js';
import { FIND_RUNS, searchedBy } from './danger.js';
import { isUnknown, UNKNOWN, type ShellWord } from './shell-word.js';
import { isWithin, mayBeWithin, protection } from './vital-path.js';

export function redirectsInto({ redirects, scene }: Call): Finding | undefined {
  return worst(redirects, ({ operator, target }) => {
    if (operator.startsWith('<') && operator !== '<>')
      return operator === '<' && isRouses(target.text, scene) ? danger("it reads Rouse's own files") : undefined;
    return isNoFile(target.text) ? undefined : writing(target.text, scene);
  });
}

function writing(text: string, scene: Scene): Finding | undefined {
  if (text === UNKNOWN || (text.includes(UNKNOWN) && text.includes('..')))
    return doubt('it is unclear which file it writes');
  return worst(pathsOf(text, scene), (path) => {
    const why = protection(path, scene);
    return why === undefined ? undefined : danger(`it writes ${text}: ${why}`);
  });
}

/** In the home of Rouse, and not one of the files that people gave to a session. */
function isRouses(text: string, scene: Scene): boolean {
  const paths = pathsOf(text, scene).filter((path) => mayBeWithin(path, scene.rouseHome));
  return paths.some((path) => text.includes(UNKNOWN) || !isWithin(path, filesIn(scene.rouseHome)));
}

/** Programs that only look at text they are given, or that never open it as a file. */
const SPEAKS = /^(?:echo|printf|cd|pushd|true|false|:|export|alias|set|return|exit)$/;

/** Any path into Rouse's home, for whatever; only files that people gave to a session may be read. */
export function touchesRouse(call: Call): Finding | undefined {
  const { name, args, scene } = call;
  if (SPEAKS.test(name)) return undefined;
  if (scene.folders.some((folder) => isWithin(folder, scene.rouseHome)) && !/^(?:ls|pwd)$/.test(name))
    return danger('it runs in the home of Rouse');
  const touches = args.some(({ text }) => {
    const path = text.replace(/^(?:-{1,2}[\w-]*=?|[\w-]*=|@)(?=[~/.])/, '');
    return isRouses(path, scene) || (path !== text && isRouses(text, scene));
  });
  if (touches) return danger('it uses the home of Rouse, where its token and store are');
  const around = readWhole(call).find(({ text }) =>
    pathsOf(text, scene).some((path) => isWithin(scene.rouseHome, path)),
  );
  return around && danger(`it reads all of ${around.text}, and with it the home of Rouse`);
}

/** The folders that a command reads with all that is in them. */
function readWhole(call: Call): readonly ShellWord[] {
  const targets = targetsOf(call.args);
  switch (call.name) {
    case 'find':
      return has(call, FIND_RUNS) ? searchedBy(call.args) : [];
    case 'grep':
      return has(call, /^(?:-[A-Za-z]*[rR]|--recursive|--dereference)/) ? targets.slice(1) : [];
    case 'rg':
      return targets.slice(1);
    case 'cp':
    case 'rsync':
    case 'scp':
      return has(call, /^(?:-[A-Za-z]*[rRa]|--recursive|--archive)/) ? targets.slice(0, -1) : [];
    case 'tar':
      return /^-?[A-Za-z]*c/.test(call.args[0]?.text ?? '') || has(call, /^--create/) ? targets : [];
    case 'zip':
      return has(call, /^-[A-Za-z]*r/) ? targets : [];
    default:
      return [];
  }
}

const CHANGES =
  /^(?:rm|rmdir|unlink|shred|truncate|mv|ln|tee|sponge|touch|chmod|chown|chgrp|chattr|setfacl|gzip|gunzip|bzip2|bunzip2|xz|unxz|ed|ex|vi|vim|nano|patch)$/;
const COPIES = /^(?:cp|install|rsync|scp|mv|ln)$/;
const EDITS = /^(?:sed|perl|ruby|awk|gawk)$/;
const TAKES_TARGET = /^(?:dd|curl|wget|tar|unzip|sort|gcc|cc|openssl)$/;
const INTO = /^(?:-[otCdO]|--(?:output|out|target-directory|directory|output-document)(?:=|$)|of=)/;
const ASSIGNED = /^(?:of=|--[\w-]+=)/;

export const writesByArgument = (name: string): boolean =>
  [CHANGES, COPIES, EDITS, TAKES_TARGET].some((names) => names.test(name));

/** Files that the arguments of a command make it write. */
export function writesFiles(call: Call): Finding | undefined {
  return worst(written(call), (word) => {
    const text = word.text.replace(ASSIGNED, '');
    return isNoFile(text) || isUnknown(word) ? undefined : writing(text, call.scene);
  });
}

function written(call: Call): readonly ShellWord[] {
  const { name, args } = call;
  const targets = targetsOf(args);
  const into = args.filter(({ text }, index) => {
    const before = args[index - 1]?.text ?? '';
    return ASSIGNED.test(text) ? INTO.test(text) : /^(?:-[otCO]|--[\w-]+)$/.test(before) && INTO.test(before);
  });
  if (into.length > 0 && (name === 'dd' || COPIES.test(name))) return into;
  if (COPIES.test(name)) return [...(name === 'mv' ? targets : []), ...targets.slice(-1)];
  if (CHANGES.test(name)) return targets;
  if (EDITS.test(name) && has(call, /^(?:-[A-Za-z]*i|--in-place)/)) return targets;
  return TAKES_TARGET.test(name) ? into : [];
}

const ROUSE = /^rouse(?:\.[cm]?[jt]s)?(?:@.*)?$/;
/** They run their first word, or the one behind `run`. */
const RUNNERS = /^(?:npx|bunx|pnpx|node|nodejs|bun|deno|tsx|ts-node|sh|bash|dash|zsh)$/;
const MANAGERS = /^(?:npm|pnpm|yarn|bun|corepack|volta|mise)$/;

/** With Rouse an agent could answer its own questions. */
export function runsRouse({ name, args }: Call): Finding | undefined {
  const targets = targetsOf(args).map(({ text }) => baseName(text));
  const [first = '', ...rest] = targets;
  const runs =
    ROUSE.test(name) ||
    (RUNNERS.test(name) && (ROUSE.test(first) || (first === 'run' && ROUSE.test(rest[0] ?? '')))) ||
    (/^(?:npx|bunx|pnpx)$/.test(name) && args.some(({ text }) => ROUSE.test(text))) ||
    (MANAGERS.test(name) && /^(?:exec|x|dlx|run)$/.test(first) && rest.some((text) => ROUSE.test(text)));
  return runs ? danger('it runs Rouse itself, which can answer questions and change sessions') : undefined;
}
