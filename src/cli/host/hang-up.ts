/**
 * Whether the host goes on when its terminal is closed. Node resets every signal when it starts, so a SIGHUP that `nohup`
 * or a shell made us ignore cannot be seen in our own process. Their other traces can:
 *
 *   1. bash and zsh leave the name of the program they started, `nohup`, in the variable `_`;
 *   2. a shell that ignores the signal lets us inherit that, and shows it in its own status;
 *   3. `nohup` at a terminal leaves no stream on that terminal. Then its end takes nothing from us either.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isatty } from 'node:tty';

export const ignoresHangUp = (env: NodeJS.ProcessEnv): boolean =>
  basename(env['_'] ?? '') === 'nohup' || parentIgnoresIt() || (hasTerminal() && ![0, 1, 2].some(isatty));

/** The signal is number 1, the lowest bit. */
const parentIgnoresIt = (): boolean =>
  /^SigIgn:\s*[0-9a-f]*[13579bdf]$/m.test(read(`/proc/${process.ppid}/status`) ?? '');

/** The seventh field of `stat` is the device of the controlling terminal; the second may hold blanks. */
function hasTerminal(): boolean {
  const stat = read('/proc/self/stat') ?? '';
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[4] ?? 0) !== 0;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // ENOENT, EACCES: nothing is known then.
    return undefined;
  }
}
