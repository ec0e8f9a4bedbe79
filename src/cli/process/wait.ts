import type { WaitAnswer } from '../../contract/process.js';
import { hostOf } from '../host/background.js';
import { answerJson, say, type Caller } from '../caller.js';
import { FOR_SESSION, ID, TIMED_OUT, type AddCommand } from '../command.js';
import { durationInWords } from '../../contract/display.js';
import { parseDuration } from '../print/duration.js';
import { endingSentence, STATUSES, statusOf } from './ending.js';
import { withoutStatus } from '../failure.js';
import { Line } from '../host/line.js';

/** One wait of many: short enough that nothing between us and the host loses patience. */
const SLICE_MS = 60_000;

type Options = { timeout?: number; session?: string; json?: boolean };

export const addWait: AddCommand = (program, caller, ends) => {
  program
    .command('wait')
    .description('wait for the end of a process, and end with its status')
    .argument('<id>', ID)
    .option('--timeout <time>', 'wait no longer than this: 90s, 10m, 2h', parseDuration)
    .option('--session <id>', FOR_SESSION)
    .option('--json', 'print the answer of the host')
    .addHelpText('after', STATUSES)
    .action(ends((id: string, options: Options) => withoutStatus(caller, () => wait(caller, id, options))));
};

async function wait(caller: Caller, typed: string, options: Options): Promise<number> {
  await hostOf(caller);
  const line = new Line(caller);
  const { id } = (await line.persist((client) => client.process(typed))).process;
  const last = await waitForEnd(line, id, { timeoutMs: options.timeout, session: options.session });
  if (options.json) answerJson(caller, last);
  const { process } = last;
  if (!process.end) {
    say(
      caller,
      `${id} still runs after ${durationInWords(options.timeout ?? 0)}. Wait again, or end it: rouse kill ${id}`,
    );
    return TIMED_OUT;
  }
  if (process.end.kind !== 'exited') say(caller, endingSentence(process));
  return statusOf(process.end);
}

/** Over when the process has ended or the time is up, however many hosts that takes; rejected when the line is let go. */
export async function waitForEnd(
  line: Line,
  id: string,
  { timeoutMs = Infinity, session }: { timeoutMs?: number | undefined; session?: string | undefined } = {},
): Promise<WaitAnswer> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const sliceMs = Math.min(SLICE_MS, Math.max(1, until - performance.now()));
    const last = await line.persist((client) => client.wait(id, sliceMs, { session, signal: line.signal }));
    if (last.outcome === 'ended' || performance.now() >= until) return last;
  }
}
