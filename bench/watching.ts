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
import { pause, until } from './wait.js';

const COOLDOWN_MS = 1_000;
/** A host that spends less than this in so long has read everything. */
const QUIET_MS = 500;
const QUIET_CPU_MS = 25;

const config = {
  watch: { cooldownMs: COOLDOWN_MS, strikes: 100 },
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

/** Writes the log under a host. The command stays, since nothing is matched after its end, and says a last line. */
const written = (log: string, watchPatterns: readonly string[]): Promise<Run> =>
  inFolder((folder) => {
    const times = join(folder, 'times');
    const writes = `began=$EPOCHREALTIME; dd if=${log} bs=64k status=none; echo $began $EPOCHREALTIME > ${times}.new; mv ${times}.new ${times}`;
    return onStage(
      rouse({ quotaBytes: statSync(log).size * 2, config }),
      2,
      async ({ field, gates: [first, last] }) => {
        if (!(field instanceof RouseField)) throw new Error('Only Rouse watches.');
        const session = await field.session();
        await field.start(0, watchPatterns.length > 0 ? { session, watchPatterns } : {});
        await first?.reached();
        const host = (await field.keepers()).slice(0, 1);
        const before = cpuMs(host);
        first?.open();
        await until('the writer is done', () => existsSync(times), { everyMs: 20, withinMs: 300_000 });
        const hostCpuMs = (await spentWhenQuiet(host)) - before;
        await last?.reached();
        // The window of the last line that was told is over: the next line tells what was held back.
        await pause(2 * COOLDOWN_MS);
        const lines = watchPatterns.length > 0 ? await counted(field, session, () => last?.open()) : 0;
        const [began = 0, ended = 0] = readFileSync(times, 'latin1').split(' ').map(Number);
        return { writerMs: (ended - began) * 1_000, hostCpuMs, lines };
      },
      {
        commandOf: (gate) => `cat ${gate.path}; ${writes}; cat ${join(folder, 'gate-1')}; echo ERROR the last; sleep 1`,
        folder,
      },
    );
  });

async function spentWhenQuiet(pids: readonly number[]): Promise<number> {
  for (let before = cpuMs(pids); ;) {
    await pause(QUIET_MS);
    const now = cpuMs(pids);
    if (now - before < QUIET_CPU_MS) return before;
    before = now;
  }
}

type Matched = { readonly cause: { readonly text?: string; readonly heldBack?: number } };

/** How many lines were told or counted as held back, without the last one. */
async function counted(field: RouseField, session: string, letGo: () => unknown): Promise<number> {
  letGo();
  return until('the last line is told', async () => {
    const { notices } = await field.ask<{ notices: Matched[] }>('GET', `/api/notices?session=${session}`);
    if (!notices.some(({ cause }) => cause.text === 'ERROR the last')) return undefined;
    return notices.length - 1 + sum(notices.map(({ cause }) => cause.heldBack ?? 0));
  });
}
