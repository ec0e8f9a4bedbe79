/**
 * (g) Ten literals over log lines that a process writes at full speed: what the host spends on all of them, beside
 * `grep -F -f` on the same file, and whether the writer is slower for it. The quota is larger than the output, so that
 * every byte is looked at, and strikes never end the watching.
 */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { grep, PATTERNS, writeLog } from './matching.js';
import { median, sum } from './numbers.js';
import type { Part } from './part.js';
import { atMost, ms, only } from './report.js';
import { rouse, RouseField } from './rouse.js';
import { inFolder, onStage } from './stage.js';
import { cpuMs } from './usage.js';
import { until } from './wait.js';

/** Stands in the lines behind the log, and nowhere in it. */
const LAST = 'behind the log';
const PATIENTLY = { everyMs: 500, withinMs: 600_000 };

const config = {
  watch: { cooldownMs: 1_000, strikes: 100 },
  breaker: { max: 10_000 },
};

type Run = { readonly writerMs: number; readonly hostCpuMs: number; readonly lines: number };

export const watching: Part = {
  name: 'watching',
  measure: (_, { matchBytes, matchRounds }) =>
    inFolder(async (folder) => {
      const log = writeLog(join(folder, 'log'), matchBytes);
      const patterns = join(folder, 'patterns');
      writeFileSync(patterns, `${PATTERNS.join('\n')}\n`);
      // The first run pays for memory that nobody has touched before, whoever it is.
      await written(log, []);
      const rounds: { alone: Run; watched: Run; grep: { cpuMs: number; lines: number } }[] = [];
      for (let round = 0; round < matchRounds; round++)
        rounds.push({
          alone: await written(log, []),
          watched: await written(log, PATTERNS),
          grep: grep(log, patterns),
        });
      const middle = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of));
      const host = middle(({ watched }) => watched.hostCpuMs);
      const theirs = middle((round) => round.grep.cpuMs);
      const [alone, watched] = [middle((round) => round.alone.writerMs), middle((round) => round.watched.writerMs)];
      const [first] = rounds;
      return {
        rows: [
          only(`a process writes ${matchBytes / 1e6} MB, watched for 10 literals: CPU of the host`, ms(host)),
          only('… of grep -F -f on the same file', ms(theirs)),
          only('… the writer takes', ms(watched)),
          only('… and not watched', ms(alone)),
        ],
        verdicts: [
          atMost('watching: CPU of the host at most 3× that of grep -F', host, theirs, 3),
          atMost('watching: the writer is not slowed (1.1 allowed)', watched, alone, 1.1),
          {
            claim: 'watching: every line that grep finds is told or counted',
            ratio: `${first?.watched.lines} of ${first?.grep.lines}`,
            holds: rounds.every((round) => round.watched.lines === round.grep.lines),
          },
        ],
      };
    }),
};

/** Writes the log under a host; watched, it goes on with numbered lines until one of them is told. */
const written = (log: string, watchPatterns: readonly string[]): Promise<Run> =>
  inFolder((folder) => {
    const [times, told] = [join(folder, 'times'), join(folder, 'told')];
    const writes = `began=$EPOCHREALTIME; dd if=${log} bs=64k status=none; echo $began $EPOCHREALTIME > ${times}`;
    const goesOn = `n=0; while [ ! -e ${told} ]; do n=$((n + 1)); echo ERROR ${LAST} $n; sleep 0.5; done`;
    return onStage(
      rouse({ quotaBytes: statSync(log).size * 2, config }),
      1,
      async ({ field, gates: [gate] }) => {
        if (!(field instanceof RouseField)) throw new Error('Only Rouse watches.');
        const session = await field.session();
        await field.start(0, { session, watchPatterns });
        await gate?.reached();
        const host = (await field.keepers()).slice(0, 1);
        const before = cpuMs(host);
        gate?.open();
        const lines = watchPatterns.length > 0 ? await counted(field, session) : 0;
        const hostCpuMs = cpuMs(host) - before;
        writeFileSync(told, '');
        const [began, ended] = await until('the writer is done', () => timesIn(times), PATIENTLY);
        return { writerMs: (ended - began) * 1_000, hostCpuMs, lines };
      },
      { commandOf: (gate) => `cat ${gate.path}; ${writes}; ${watchPatterns.length > 0 ? goesOn : ''}`, folder },
    );
  });

function timesIn(path: string): [number, number] | undefined {
  const [began, ended] = existsSync(path) ? readFileSync(path, 'latin1').split(' ').map(Number) : [];
  return began && ended ? [began, ended] : undefined;
}

type Matched = { readonly cause: { readonly text?: string; readonly heldBack?: number } };

/** How many lines of the log were told or counted as held back, when the first line behind them is told. */
const counted = (field: RouseField, session: string): Promise<number> =>
  until(
    'a line behind the log is told',
    async () => {
      const { notices } = await field.ask<{ notices: Matched[] }>('GET', `/api/notices?session=${session}&limit=1000`);
      const at = notices.findLastIndex(({ cause }) => cause.text?.includes(LAST));
      if (at < 0) return undefined;
      // The newest come first; what came behind this one is of no interest.
      const all = notices.slice(at);
      const behind = Number(all[0]?.cause.text?.split(' ').at(-1));
      return all.length + sum(all.map(({ cause }) => cause.heldBack ?? 0)) - behind;
    },
    PATIENTLY,
  );
