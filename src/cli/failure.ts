/** What went wrong, as a sentence with the next step. */
import { HostUnreachable, RouseProblem } from '../client/client.js';
import { say, type Caller } from './caller.js';
import { NO_STATUS } from './command.js';
import { NoHost, shownHome } from './host/find-host.js';
import { oneLine } from './print/printable.js';

/** For a command that exits with the status of a process: a failure of ours must not look like one of its statuses. */
export async function withoutStatus(caller: Caller, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    say(caller, explain(error, caller));
    return NO_STATUS;
  }
}

export function explain(error: unknown, caller: Pick<Caller, 'env'>): string {
  if (error instanceof RouseProblem) return [error.message, ...candidates(error)].join('\n');
  if (error instanceof NoHost) return error.message;
  if (error instanceof HostUnreachable)
    return `${error.message} If it is gone for good, start another for ${shownHome(caller)}: rouse serve`;
  if (error instanceof Error && error.name === 'ZodError')
    return 'This program cannot read the answer of the host: they have different versions. Restart the host; processes keep running.';
  if (error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd')
    return 'The current directory no longer exists. Change to another one, for example with "cd ~", and try again.';
  return error instanceof Error ? error.message : String(error);
}

const candidates = ({ problem }: RouseProblem): readonly string[] =>
  (problem.candidates ?? []).map((candidate) => `  ${oneLine(candidate)}`);
