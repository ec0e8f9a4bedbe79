/** Which files a command writes, and whether a person should know of it first. */
import { filesIn } from '../session/dropped-file.js';
import { has, isNoFile, isUnknown, pathsOf, targetsOf, type Call, type Scene } from './call.js';
import { danger, doubt, worst, type Finding } from './finding.js';
import { UNKNOWN, type Word } from './shell-cursor.js';
import { isWithin, mayBeWithin, protection } from './vital-path.js';

export function redirectsInto({ redirects, scene }: Call): Finding | undefined {
  return worst(redirects, ({ operator, target }) => {
    if (operator.startsWith('<') && operator !== '<>')
      return operator === '<' && isRouses(target.text, scene) ? danger(READS_ROUSE) : undefined;
    return isNoFile(target.text) ? undefined : writing(target, scene);
  });
}

const READS_ROUSE = "it reads Rouse's own files";

function writing({ text }: Word, scene: Scene): Finding | undefined {
  if (text === UNKNOWN || (text.includes(UNKNOWN) && text.includes('..')))
    return doubt('it cannot be told which file it writes');
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
  if (SPEAKS.test(call.name)) return undefined;
  if (call.scene.folders.some((folder) => isWithin(folder, call.scene.rouseHome)) && !/^(?:ls|pwd)$/.test(call.name))
    return danger('it works in the home of Rouse');
  const touches = call.args.some(({ text }) => {
    const path = text.replace(/^(?:-{1,2}[\w-]*=?|[\w-]*=|@)(?=[~/.])/, '');
    return isRouses(path, call.scene) || (path !== text && isRouses(text, call.scene));
  });
  return touches ? danger('it works on the home of Rouse, where its token and its store are') : undefined;
}

const CHANGES =
  /^(?:rm|rmdir|unlink|shred|truncate|mv|ln|tee|sponge|touch|chmod|chown|chgrp|chattr|setfacl|gzip|gunzip|bzip2|bunzip2|xz|unxz|ed|ex|vi|vim|nano|patch)$/;
const COPIES = /^(?:cp|install|rsync|scp|mv|ln)$/;
const EDITS = /^(?:sed|perl|ruby|awk|gawk)$/;
const TAKES_TARGET = /^(?:dd|curl|wget|tar|unzip|sort|gcc|cc|openssl)$/;
const INTO = /^(?:-[otCdO]|--(?:output|out|target-directory|directory|output-document)(?:=|$)|of=)/;

export const writesByArgument = (name: string): boolean =>
  CHANGES.test(name) || COPIES.test(name) || EDITS.test(name) || TAKES_TARGET.test(name);

/** Files that the arguments of a command make it write. */
export function writesFiles(call: Call): Finding | undefined {
  return worst(written(call), (word) => {
    const text = word.text.replace(/^(?:of=|--[\w-]+=)/, '');
    return isNoFile(text) || isUnknown(word) ? undefined : writing({ ...word, text }, call.scene);
  });
}

function written(call: Call): readonly Word[] {
  const { name, args } = call;
  const targets = targetsOf(args);
  const into = args.filter(({ text }, index) => {
    const before = args[index - 1]?.text ?? '';
    return /^(?:of=|--[\w-]+=)/.test(text)
      ? INTO.test(text)
      : /^(?:-[otCO]|--[\w-]+)$/.test(before) && INTO.test(before);
  });
  if (into.length > 0 && (name === 'dd' || COPIES.test(name))) return into;
  if (COPIES.test(name)) return [...(name === 'mv' ? targets : []), ...targets.slice(-1)];
  if (CHANGES.test(name)) return targets;
  if (EDITS.test(name) && has(call, /^(?:-[A-Za-z]*i|--in-place)/)) return targets;
  return TAKES_TARGET.test(name) ? into : [];
}
