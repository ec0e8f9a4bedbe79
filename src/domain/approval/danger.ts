/** The commands that are dangerous by themselves, each by its own rule; what runs other commands is `risk`'s. */
import { baseName, has, isNoFile, isUnknown, pathsOf, targetsOf, type Call } from './call.js';
import { danger, doubt, type Finding } from './finding.js';
import { UNKNOWN, type Word } from './shell-cursor.js';
import { isVital } from './vital-path.js';

type Rule = (call: Call) => Finding | undefined;

const vitalAmong = (words: readonly Word[], { scene }: Call): Word | undefined =>
  words.find(({ text }) => pathsOf(text, scene).some((path) => isVital(path, scene)));

const UNKNOWN_TARGET = 'it cannot be told what it deletes';

function deletes(call: Call): Finding | undefined {
  if (has(call, /^--no-p/)) return danger('it deletes without regard for the root');
  const isRecursive = has(call, /^(?:-[A-Za-z]*[rR]|--r)/);
  const vital = isRecursive && vitalAmong(targetsOf(call.args), call);
  if (vital && !isUnknown(vital)) return danger(`it deletes ${vital.text} with all that is in it`);
  return vital || call.args.some((word) => isUnknown(word) && word.splits) ? doubt(UNKNOWN_TARGET) : undefined;
}

const changesAll: Rule = (call) => {
  const vital = has(call, /^(?:-[A-Za-z]*R|--r)/) ? vitalAmong(targetsOf(call.args).slice(1), call) : undefined;
  return vital && danger(`it changes ${vital.text} with all that is in it`);
};

const moves: Rule = (call) => {
  const vital = vitalAmong(targetsOf(call.args).slice(0, -1), call);
  return vital && !isUnknown(vital) ? danger(`it moves ${vital.text} with all that is in it`) : undefined;
};

/** What is made equal to another folder loses the rest. */
const mirrors: Rule = (call) => {
  const vital = has(call, /^--del/) ? vitalAmong(targetsOf(call.args).slice(-1), call) : undefined;
  return vital && danger(`it deletes what is in ${vital.text} and not in the source`);
};

export const FIND_RUNS = /^-(?:exec|execdir|ok|okdir)$/;

/** What is found and deleted one by one. */
const findsAndDeletes: Rule = (call) => {
  const action = call.args.findIndex(({ text }) => FIND_RUNS.test(text));
  const program = action < 0 ? '' : baseName(call.args[action + 1]?.text ?? '');
  if (!has(call, /^-delete$/) && !/^(?:rm|shred|unlink|truncate)$/.test(program)) return undefined;
  const end = call.args.findIndex(({ text }) => /^[-(!]/.test(text) && !/^-[HLPO]/.test(text));
  const from = targetsOf(call.args.slice(0, end < 0 ? undefined : end));
  const vital = vitalAmong(from.length > 0 ? from : [{ text: '.', splits: false }], call);
  if (!vital) return undefined;
  return isUnknown(vital) ? doubt(UNKNOWN_TARGET) : danger(`it deletes what it finds in ${vital.text}`);
};

const cleans: Rule = (call) => {
  const isForced = has(call, /^clean$/) && has(call, /^(?:-[A-Za-z]*f|--force)/);
  const vital = isForced && vitalAmong([{ text: '.', splits: false }], call);
  return vital ? danger('it deletes everything in this folder that git does not know') : undefined;
};

const formats: Rule = () => danger('it makes a disk empty');

const partitions: Rule = (call) =>
  has(call, /^(?:-l|--list|print)$/) || call.args.length === 0 ? undefined : danger('it changes the parts of a disk');

/** Where a file is expected, any device that keeps what it is given. */
const writesOver: Rule = ({ args }) => {
  const target = args.find(({ text }) => text.startsWith('of='))?.text.slice(3);
  if (target === undefined || isNoFile(target)) return undefined;
  if (target.startsWith(UNKNOWN)) return doubt('it cannot be told what it writes over');
  return target.startsWith('/dev/') ? danger(`it writes over ${target}`) : undefined;
};

const STOPS_MACHINE = danger('it stops the machine');
const stopsMachine: Rule = () => STOPS_MACHINE;

const stopsWhenAsked =
  (word: RegExp): Rule =>
  (call) =>
    has(call, word) ? STOPS_MACHINE : undefined;

/** `kill -1 5` sends SIGHUP to 5; `kill -9 -1` ends everything. */
const killsAll: Rule = ({ args }) =>
  args.slice(1).some(({ text }) => text === '-1') ? danger('it ends every process') : undefined;

/** Every process of a user, or whatever has any name at all. */
const killsByName: Rule = (call) => {
  if (has(call, /\brouse\b/)) return danger('it ends Rouse');
  return has(call, /^(?:-[A-Za-z]*[uUG]|--(?:e?uid|user|group).*|\.[*+]?|\^|\.\*)$/)
    ? danger('it ends processes that it does not name')
    : undefined;
};

const changesCron: Rule = (call) =>
  has(call, /^-[A-Za-z]*l/) && !has(call, /^-[A-Za-z]*r/) ? undefined : danger('it changes what cron runs');

const opensFirewall: Rule = (call) =>
  has(call, /^(?:-F|--flush|-X|flush|disable|reset|-P|--policy)$/) ? danger('it takes down the firewall') : undefined;

const changesAccount: Rule = () => danger('it changes who may come in');

const destroysVolume: Rule = (call) =>
  has(call, /^(?:destroy|luksFormat|luksErase|erase|--zero-superblock)$/) ? danger('it makes a disk empty') : undefined;

const everyProcess: Rule = () => danger('it ends every process');

const RULES: readonly (readonly [string, Rule])[] = [
  ['rm', deletes],
  ['chmod chown chgrp setfacl chattr', changesAll],
  ['mv', moves],
  ['rsync', mirrors],
  ['find', findsAndDeletes],
  ['git', cleans],
  ['mke2fs mkswap wipefs blkdiscard lvremove vgremove pvremove', formats],
  ['fdisk sfdisk sgdisk cfdisk gdisk parted', partitions],
  ['zpool zfs cryptsetup mdadm', destroysVolume],
  ['dd', writesOver],
  ['shutdown reboot poweroff halt', stopsMachine],
  ['init telinit', stopsWhenAsked(/^[06]$/)],
  [
    'systemctl loginctl',
    stopsWhenAsked(/^(?:poweroff|reboot|halt|kexec|rescue|emergency|suspend|hibernate|soft-reboot)$/),
  ],
  ['kexec', stopsWhenAsked(/^-e|^--exec/)],
  ['kill', killsAll],
  ['killall5', everyProcess],
  ['pkill killall skill', killsByName],
  ['crontab', changesCron],
  ['iptables ip6tables nft ufw', opensFirewall],
  ['passwd chpasswd userdel deluser usermod visudo chsh', changesAccount],
  ['useradd adduser newusers groupadd addgroup groupmod groupdel delgroup gpasswd vipw vigr', changesAccount],
];

const BY_NAME: ReadonlyMap<string, Rule> = new Map(
  RULES.flatMap(([names, rule]) => names.split(' ').map((name) => [name, rule] as const)),
);

const ruleFor = (name: string): Rule | undefined =>
  BY_NAME.get(name) ?? (/^mkfs(?:\..+)?$/.test(name) ? formats : undefined);

export const isDangerous = (name: string): boolean => ruleFor(name) !== undefined;

export const dangerOf = (call: Call): Finding | undefined => ruleFor(call.name)?.(call);
