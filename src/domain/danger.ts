/** The commands that are dangerous by themselves, each by its own rule; what runs other commands is `risk`'s. */
import { filesIn } from './dropped-file.js';
import { UNKNOWN, type ShellCommand, type Variables, type Word } from './shell-words.js';
import { isVital, isWithin, resolved } from './vital-path.js';

/** Where the command would run: the person's home, the home of Rouse, and the folder it starts in. */
export type Surroundings = { readonly home: string; readonly rouseHome: string; readonly cwd: string };

/** `fed` when what runs the script is itself fed by another command. */
export type Scene = Surroundings & { readonly variables: Variables; readonly fed: boolean };

export type Call = {
  readonly name: string;
  readonly args: readonly Word[];
  readonly command: ShellCommand;
  readonly folders: readonly string[];
  readonly scene: Scene;
  readonly depth: number;
};

export function first<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

const DISK = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|mapper|dm-|md|loop|mem|kmem|port)/;
const TELLS_NOTHING = /^(?:&?\d*-?|\/dev\/(?:null|stdout|stderr|tty|fd\/\d+))$/;

export function riskOfRedirects(
  command: ShellCommand,
  folders: readonly string[],
  { rouseHome }: Scene,
): string | undefined {
  return first(command.redirects, ({ operator, target: { text } }) => {
    if (!operator.includes('>') || TELLS_NOTHING.test(text)) return undefined;
    if (text.startsWith(UNKNOWN) || (text.includes(UNKNOWN) && text.includes('..')))
      return 'it cannot be told which file it writes';
    const targets = folders.map((folder) => resolved(text, folder));
    if (targets.some((target) => DISK.test(target))) return `it writes over ${text}`;
    return targets.some((target) => isWithin(target, rouseHome)) ? 'it writes into the home of Rouse' : undefined;
  });
}

const targetsOf = ({ args }: Call): readonly Word[] => {
  const end = args.findIndex(({ text }) => text === '--');
  const options = end < 0 ? args : args.slice(0, end);
  return [...options.filter(({ text }) => !text.startsWith('-')), ...(end < 0 ? [] : args.slice(end + 1))];
};

export const isUnknown = ({ text }: Word): boolean => text.includes(UNKNOWN);
export const has = ({ args }: Call, option: RegExp): boolean => args.some(({ text }) => option.test(text));

const vitalTarget = (call: Call): Word | undefined =>
  targetsOf(call).find(({ text }) => call.folders.some((folder) => isVital(resolved(text, folder), call.scene)));

function deletes(call: Call): string | undefined {
  if (call.name !== 'rm') return undefined;
  if (has(call, /^--no-p/)) return 'it deletes without regard for the root';
  if (call.args.some((word) => isUnknown(word) && word.splits)) return 'it cannot be told what it deletes';
  if (!has(call, /^(?:-[A-Za-z]*[rR]|--r)/)) return undefined;
  if (call.args.some(isUnknown)) return 'it cannot be told what it deletes, with all that is in it';
  const vital = vitalTarget(call);
  return vital && `it deletes ${vital.text} with all that is in it`;
}

function changesAll(call: Call): string | undefined {
  const moves = call.name === 'mv';
  if (!moves && !['chmod', 'chown', 'chgrp', 'setfacl'].includes(call.name)) return undefined;
  if (!moves && !has(call, /^(?:-[A-Za-z]*R|--r)/)) return undefined;
  const vital = vitalTarget(moves ? { ...call, args: call.args.slice(0, -1) } : call);
  return vital && `it ${moves ? 'moves' : 'changes the rights of'} ${vital.text} with all that is in it`;
}

function formats({ name, args }: Call): string | undefined {
  if (/^(?:mkfs(?:\..*)?|mke2fs|mkswap|wipefs|blkdiscard)$/.test(name)) return 'it makes a disk empty';
  if (name !== 'dd') return undefined;
  const target = args.find(({ text }) => text.startsWith('of='))?.text.slice(3);
  if (target === undefined || TELLS_NOTHING.test(target)) return undefined;
  if (target.startsWith(UNKNOWN)) return 'it cannot be told what it writes over';
  return target.startsWith('/dev/') ? `it writes over ${target}` : undefined;
}

function shutsDown({ name, args }: Call): string | undefined {
  const asked = args.map(({ text }) => text);
  const off =
    ['shutdown', 'reboot', 'poweroff', 'halt'].includes(name) ||
    (['init', 'telinit'].includes(name) && asked.some((text) => /^[06]$/.test(text))) ||
    (name === 'systemctl' && asked.some((text) => /^(?:poweroff|reboot|halt|kexec|rescue|emergency)$/.test(text)));
  return off ? 'it stops the machine' : undefined;
}

/** `kill -1 5` sends SIGHUP to 5; `kill -9 -1` ends everything. */
function killsAll({ name, args }: Call): string | undefined {
  if (name === 'killall5') return 'it ends every process';
  return name === 'kill' && args.slice(1).some(({ text }) => text === '-1') ? 'it ends every process' : undefined;
}

const READS =
  /^(?:cat|less|more|head|tail|ls|stat|du|wc|file|grep|rg|find|tree|diff|cd|pushd|echo|printf|test|\[|\[\[)$/;

function touchesRouse(call: Call): string | undefined {
  if (READS.test(call.name)) return undefined;
  const { rouseHome } = call.scene;
  const touches =
    call.folders.some((folder) => isWithin(folder, rouseHome)) ||
    call.args.some((word, index) => {
      const text = word.text.replace(/^[\w-]*=/, '');
      const paths = call.folders.map((folder) => resolved(text, folder)).filter((path) => isWithin(path, rouseHome));
      return paths.some((path) => isUnknown(word) || writesTo(call, index) || !isWithin(path, filesIn(rouseHome)));
    });
  return touches ? 'it works on the home of Rouse' : undefined;
}

const CHANGES =
  /^(?:rm|rmdir|unlink|shred|truncate|mv|ln|tee|touch|mkdir|chmod|chown|chgrp|setfacl|gzip|gunzip|bzip2|bunzip2|xz|unxz)$/;
const COPIES = /^(?:cp|install|rsync|scp)$/;
const EDITS = /^(?:sed|perl|ruby)$/;
const INTO = /^(?:-[otC]$|of=|--(?:out|target|dir))/;

/** Files that people gave to a session may be read by any program, and are changed by none without a word. */
function writesTo(call: Call, index: number): boolean {
  const [before, word] = [call.args[index - 1]?.text ?? '', call.args[index]?.text ?? ''];
  return (
    CHANGES.test(call.name) ||
    (COPIES.test(call.name) && index === call.args.length - 1) ||
    (EDITS.test(call.name) && has(call, /^(?:-[A-Za-z]*i|--in-place)/)) ||
    INTO.test(before) ||
    INTO.test(word)
  );
}

/** What is found and deleted one by one. */
function findsAndDeletes(call: Call): string | undefined {
  if (call.name !== 'find') return undefined;
  const action = call.args.findIndex(({ text }) => FIND_RUNS.test(text));
  const program = action < 0 ? '' : (call.args[action + 1]?.text ?? '').replace(/^.*\//, '');
  if (!has(call, /^-delete$/) && program !== 'rm') return undefined;
  const from = call.args.slice(
    0,
    call.args.findIndex(({ text }) => text.startsWith('-')),
  );
  if (from.some(isUnknown)) return 'it cannot be told what it deletes';
  const vital = vitalTarget({ ...call, args: from });
  return vital && `it deletes what it finds in ${vital.text}`;
}

export const FIND_RUNS = /^-(?:exec|execdir|ok|okdir)$/;

export const dangers: readonly ((call: Call) => string | undefined)[] = [
  deletes,
  changesAll,
  findsAndDeletes,
  formats,
  shutsDown,
  killsAll,
  touchesRouse,
];
