/** The folder of a process: the contents of its files, and how they are written. */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { constants as os } from 'node:os';
import type { ProcessId } from '../../contract/ids.js';
import type { ExitRecord, Identity, Instant } from '../../domain/process/process.js';
import type { LaunchPlan } from '../../ports/place.js';
import type { Tools } from './environment.js';
import { errno, isAbsent, isUnreadable } from '../../errno.js';
import { thisBoot } from './proc.js';

export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Variables that a shell keeps for itself or dies of, and those that steer the loader of every program on the way to the
 * command. They are handed to `env`, where they stand in a command line for a moment; no secrets are kept under these names.
 */
const SPECIAL =
  /^(?:_|IFS|OPT(?:IND|ARG|ERR)|LINENO|PS[0124]|PPID|(?:OLD)?PWD|E?UID|GROUPS|SHELLOPTS|BASH.*|S?RANDOM|SECONDS|EPOCH.*|FUNCNAME|DIRSTACK|HIST.*|COMP_WORDBREAKS|POSIXLY_CORRECT|LD_.*|GLIBC_TUNABLES|MALLOC_.*|GCONV_PATH)$/;

/** The file `start`, in the language of the shim. The command's environment is complete, and set when all else is done. */
export function startFile(plan: LaunchPlan, tools: Tools): string {
  const assignments = {
    command: plan.command,
    cwd: plan.cwd,
    shell: tools.shell,
    setsid: tools.setsid,
    env: tools.env,
    script: tools.script,
    pty: plan.pty ? 'yes' : '',
    boot: thisBoot,
    mask: tools.umask.toString(8).padStart(4, '0'),
    rows: '24',
    cols: '80',
  };
  const variables = Object.entries(plan.env);
  const special = variables.filter(([name]) => SPECIAL.test(name));
  const ordinary = variables.filter(([name]) => !SPECIAL.test(name));
  return [
    ...Object.entries(assignments).map(([name, value]) => `${name}=${quoted(value)}`),
    ['set --', ...special.map(([name, value]) => quoted(`${name}=${value}`))].join(' '),
    'environment() {',
    ':',
    ...ordinary.map(([name, value]) => `export ${name}=${quoted(value)}`),
    '}',
    '',
  ].join('\n');
}

export type PidFile = { readonly shim?: Identity; readonly command?: Identity; readonly abandoned: boolean };

export const ABANDONED = 'abandoned\n';

/** A line that is not whole yet counts as not written. */
export function parsePidFile(text: string): PidFile {
  const identities = new Map<string, Identity>();
  for (const [, kind, pid, startTime, boot] of text.matchAll(/^(shim|command) (\d+) (\d+) ([0-9a-f-]+)\n/gm))
    if (kind && pid && startTime && boot) identities.set(kind, { pid: Number(pid), startTime, boot });
  const shim = identities.get('shim');
  const command = identities.get('command');
  return { ...(shim && { shim }), ...(command && { command }), abandoned: text === ABANDONED };
}

export type ExitFile =
  | { readonly kind: 'ended'; readonly record: ExitRecord; readonly at: Instant }
  | { readonly kind: 'refused'; readonly what: string }
  | { readonly kind: 'unknown' };

/**
 * What the shim wrote at the end. The last line makes it complete. Before it is what the shell says of the job: `Done`
 * for an exit, the name of a signal otherwise; a shell that says nothing leaves only the number.
 */
export function parseExitFile(text: string, at: Instant): ExitFile | undefined {
  const [, words = '', last, value = ''] = /^([\s\S]*?)(status|refused|unknown) (\w+)\n$/.exec(text) ?? [];
  // A job that still runs has not ended, whatever interrupted the shim.
  if (words.includes('Running')) return undefined;
  if (last === 'status') return { kind: 'ended', record: exitRecord(words, Number(value)), at };
  if (last === 'refused') return { kind: 'refused', what: value };
  return last === 'unknown' ? { kind: 'unknown' } : undefined;
}

function exitRecord(words: string, status: number): ExitRecord {
  const signalled = status > 128 && !words.includes('Done') && (words.trim() !== '' || names.has(status - 128));
  return signalled ? { kind: 'signalled', signal: signalName(status - 128) } : { kind: 'exited', code: status };
}

const names = new Map(Object.entries(os.signals).map(([name, number]) => [number, name]));

const signalName = (number: number): string => names.get(number) ?? `signal ${number}`;

export class Folder {
  readonly path: string;

  constructor(home: string, id: ProcessId) {
    // Without `join`, which looks at every character: this is asked for several times at every look.
    this.path = `${home}/processes/${id}`;
  }

  file(name: 'start' | 'pid' | 'output' | 'dropped' | 'exit'): string {
    return `${this.path}/${name}`;
  }

  pidFile(): PidFile | undefined {
    return parsed(this.file('pid'), parsePidFile);
  }

  exitFile(): ExitFile | undefined {
    return parsed(this.file('exit'), (text, mtimeMs) => (text === '' ? undefined : parseExitFile(text, mtimeMs)));
  }

  /** Whether a part of the output could not be written. */
  get dropped(): boolean {
    return existsSync(this.file('dropped'));
  }

  /**
   * Once a command runs, its plan with its secrets has no business on the disk. The emptied file stays as the `exit` to
   * come: to make a file and to delete one are among the dearest things a start does, and would delay an end.
   */
  spendPlan(): void {
    const [start, exit] = [this.file('start'), this.file('exit')];
    // Asked at every end, when it has mostly gone long ago: to fail at opening it would be ten times as dear.
    if (!existsSync(start)) return;
    const plan = openSync(start, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      // With a second name it has been emptied before, and an end may stand in it.
      if (fstatSync(plan).nlink === 1) {
        ftruncateSync(plan);
        linkSync(start, exit);
      }
    } catch (error) {
      // EEXIST: the command has ended meanwhile; EPERM: no second names on this disk. The shim makes its own.
      if (!['EEXIST', 'EPERM'].includes(errno(error) ?? '')) throw error;
    } finally {
      closeSync(plan);
    }
    unlinkSync(start);
  }

  /** Creates the pid file in the shim's place, so that none can claim the folder; false when one already has. */
  claim(): boolean {
    try {
      const file = openSync(this.file('pid'), constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
      writeSync(file, ABANDONED);
      closeSync(file);
      return true;
    } catch (error) {
      if (errno(error) === 'EEXIST') return false;
      throw error;
    }
  }
}

/** What a shim writes is shorter by far; what a command puts in its place need not be read to its end. */
const content = Buffer.alloc(4_096);

/**
 * Read at once and not in the background: a hop to a thread and back would cost more than these few bytes. What is not a
 * file, or cannot be read, counts as not there: a command may have put it in the place of what the shim wrote.
 */
function parsed<Result>(path: string, parse: (text: string, mtimeMs: Instant) => Result): Result | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = fstatSync(file);
      if (!found.isFile()) return undefined;
      const length = readSync(file, content, 0, content.length, 0);
      return parse(content.toString('latin1', 0, length), found.mtimeMs);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (isAbsent(error) || isUnreadable(error)) return undefined;
    throw error;
  }
}
