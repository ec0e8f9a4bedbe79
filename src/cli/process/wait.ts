import type { RouseClient } from '../../client/client.js';
import type { WaitAnswer } from '../../contract/process.js';
import { durationInWords } from '../../contract/display.js';
import { answerJson, say, type Caller } from '../caller.js';
import { FOR_SESSION, ID, TIMED_OUT, type AddCommand } from '../command.js';
import { withoutStatus } from '../failure.js';
import { hostOf } from '../host/background.js';
import { parseDuration } from '../print/parse.js';
import { endingSentence, STATUSES, statusOf } from './ending.js';

type Options = { timeout?: number; session?: string; json?: boolean };

export const addWait: AddCommand = (program, caller, ends) => {
  program
    .command('wait')
    .description('wait for the end of a process, and exit with its status')
    .argument('<id>', ID)
    .option('--timeout <time>', 'wait no longer than this: 90s, 10m, 2h', parseDuration)
    .option('--session <id>', FOR_SESSION)
    .option('--json', 'print the response as JSON')
    .addHelpText('after', STATUSES)
    .action(ends((id: string, options: Options) => withoutStatus(caller, () => wait(caller, id, options))));
};

async function wait(caller: Caller, typed: string, { timeout, session, json }: Options): Promise<number> {
  const client = await hostOf(caller);
  const { id } = (await client.persist(() => client.process(typed))).process;
  const last = await waitFor(client, id, { timeoutMs: timeout, session });
  if (json) answerJson(caller, last);
  const { end } = last.process;
  if (!end) {
    say(
      caller,
      `${id} is still running after ${durationInWords(timeout ?? 0)}. Wait again, or end it: rouse kill ${id}`,
    );
    return TIMED_OUT;
  }
  if (end.kind !== 'exited') say(caller, endingSentence(last.process));
  return statusOf(end);
}

type Waiting = { timeoutMs?: number | undefined; session?: string | undefined; signal?: AbortSignal };

/** Resolves when the process has ended or the time is up, however many hosts that takes; rejects when aborted. */
export function waitFor(
  client: RouseClient,
  id: string,
  { timeoutMs = Infinity, session, signal }: Waiting = {},
): Promise<WaitAnswer> {
  const until = performance.now() + timeoutMs;
  const leftMs = () => Math.max(1, until - performance.now());
  return client.persist(() => client.wait(id, leftMs(), { session, signal }), { signal });
}
