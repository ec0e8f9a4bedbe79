/** The commands that are dangerous by themselves, each by its own rule; what runs other commands is `nested-scripts`'. */
import { baseName, danger, doubt, has, isNoFile, isVitalIn, targetsOf, type Call, type Finding } from './shell-call.js';
import { isUnknown, UNKNOWN, type ShellWord } from './shell-word.js';

type Rule = (call: Call) => Finding | undefined;

const always =
  (why: string): Rule =>
  () =>
    danger(why);

const when =
  (option: RegExp, why: string): Rule =>
  (call) =>
    has(call, option) ? danger(why) : undefined;

const UNKNOWN_TARGET = doubt('it is unclear what it deletes');

/** The first of the words that leads to something vital. */
function harm(words: readonly ShellWord[], { scene }: Call, why: (text: string) => string): Finding | undefined {
  const vital = words.find(({ text }) => isVitalIn(text, scene));
  return vital && (isUnknown(vital) ? UNKNOWN_TARGET : danger(why(vital.text)));
}

const deletes: Rule = (call) => {
  if (has(call, /^--no-p/)) return danger('it deletes without sparing the root');
  const isRecursive = has(call, /^(?:-[A-Za-z]*[rR]|--r)/);
  const targets = isRecursive ? targetsOf(call.args) : [];
  const isOpen = call.args.some((word) => isUnknown(word) && word.splits);
  return (
    harm(targets, call, (text) => `it deletes ${text} and everything in it`) ?? (isOpen ? UNKNOWN_TARGET : undefined)
  );
};

const changesAll: Rule = (call) =>
  has(call, /^(?:-[A-Za-z]*R|--r)/)
    ? harm(targetsOf(call.args).slice(1), call, (text) => `it changes ${text} and everything in it`)
    : undefined;

const moves: Rule = (call) => {
  const moved = targetsOf(call.args).slice(0, -1);
  return harm(
    moved.filter((word) => !isUnknown(word)),
    call,
    (text) => `it moves ${text} and everything in it`,
  );
};

/** What is made equal to another folder loses the rest. */
const mirrors: Rule = (call) =>
  has(call, /^--del/)
    ? harm(targetsOf(call.args).slice(-1), call, (text) => `it deletes what is in ${text} and not in the source`)
    : undefined;

export const FIND_RUNS = /^-(?:exec|execdir|ok|okdir)$/;
const HERE: ShellWord = { text: '.', splits: false };

/** Where `find` begins. */
export function searchedBy(args: readonly ShellWord[]): readonly ShellWord[] {
  const end = args.findIndex(({ text }) => /^[-(!]/.test(text) && !/^-[HLPO]/.test(text));
  const from = targetsOf(args.slice(0, end < 0 ? undefined : end));
  return from.length > 0 ? from : [HERE];
}

/** What is found and deleted one by one. */
const findsAndDeletes: Rule = (call) => {
  const action = call.args.findIndex(({ text }) => FIND_RUNS.test(text));
  const program = action < 0 ? '' : baseName(call.args[action + 1]?.text ?? '');
  return has(call, /^-delete$/) || /^(?:rm|shred|unlink|truncate)$/.test(program)
    ? harm(searchedBy(call.args), call, (text) => `it deletes what it finds in ${text}`)
    : undefined;
};

const cleans: Rule = (call) =>
  has(call, /^clean$/) && has(call, /^(?:-[A-Za-z]*f|--force)/)
    ? harm([HERE], call, () => 'it deletes everything in this folder that git does not track')
    : undefined;

const partitions: Rule = (call) =>
  has(call, /^(?:-l|--list|print)$/) || call.args.length === 0
    ? undefined
    : danger('it changes the partitions of a disk');

/** Where a file is expected, any device that keeps what it is given. */
const writesOver: Rule = ({ args }) => {
  const target = args.find(({ text }) => text.startsWith('of='))?.text.slice(3);
  if (target === undefined || isNoFile(target)) return undefined;
  if (target.startsWith(UNKNOWN)) return doubt('it is unclear what it overwrites');
  return target.startsWith('/dev/') ? danger(`it overwrites ${target}`) : undefined;
};

/** `kill -1 5` sends SIGHUP to 5; `kill -9 -1` ends everything. */
const killsAll: Rule = ({ args }) =>
  args.slice(1).some(({ text }) => text === '-1') ? danger('it kills every process') : undefined;

/** Every process of a user, or whatever has any name at all. */
const killsByName: Rule = (call) =>
  has(call, /\brouse\b/)
    ? danger('it kills Rouse')
    : when(
        /^(?:-[A-Za-z]*[uUG]|--(?:e?uid|user|group).*|\.[*+]?|\^|\.\*)$/,
        'it kills processes that it does not name',
      )(call);

const changesCron: Rule = (call) =>
  has(call, /^-[A-Za-z]*l/) && !has(call, /^-[A-Za-z]*r/) ? undefined : danger('it changes what cron runs');

const EMPTIES = 'it erases a disk';
const STOPS = 'it stops the machine';
const SLEEPS = /^(?:poweroff|reboot|halt|kexec|rescue|emergency|suspend|hibernate|soft-reboot)$/;
const ACCOUNTS =
  'passwd chpasswd userdel deluser usermod visudo chsh useradd adduser newusers groupadd addgroup groupmod groupdel delgroup gpasswd vipw vigr';

const RULES: readonly (readonly [string, Rule])[] = [
  ['rm', deletes],
  ['chmod chown chgrp setfacl chattr', changesAll],
  ['mv', moves],
  ['rsync', mirrors],
  ['find', findsAndDeletes],
  ['git', cleans],
  ['mke2fs mkswap wipefs blkdiscard lvremove vgremove pvremove', always(EMPTIES)],
  ['fdisk sfdisk sgdisk cfdisk gdisk parted', partitions],
  ['zpool zfs cryptsetup mdadm', when(/^(?:destroy|luksFormat|luksErase|erase|--zero-superblock)$/, EMPTIES)],
  ['dd', writesOver],
  ['shutdown reboot poweroff halt', always(STOPS)],
  ['init telinit', when(/^[06]$/, STOPS)],
  ['systemctl loginctl', when(SLEEPS, STOPS)],
  ['kexec', when(/^-e|^--exec/, STOPS)],
  ['kill', killsAll],
  ['killall5', always('it kills every process')],
  ['pkill killall skill', killsByName],
  ['crontab', changesCron],
  [
    'iptables ip6tables nft ufw',
    when(/^(?:-F|--flush|-X|flush|disable|reset|-P|--policy)$/, 'it disables the firewall'),
  ],
  [ACCOUNTS, always('it changes user accounts')],
];

const BY_NAME: ReadonlyMap<string, Rule> = new Map(
  RULES.flatMap(([names, rule]) => names.split(' ').map((name) => [name, rule] as const)),
);

const ruleFor = (name: string): Rule | undefined =>
  BY_NAME.get(name) ?? (/^mkfs(?:\..+)?$/.test(name) ? always(EMPTIES) : undefined);

export const isDangerous = (name: string): boolean => ruleFor(name) !== undefined;

export const dangerOf: Rule = (call) => ruleFor(call.name)?.(call);
