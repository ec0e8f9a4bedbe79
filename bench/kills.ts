/** (k) Many are killed at once: until each of those who asked knows that the whole tree is gone and the end is stored. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Part } from './part.js';
import { nowMs } from './peer.js';
import { bound, ms, only } from './report.js';
import { rouse } from './rouse.js';
import { onStage } from './stage.js';
import { inLanes } from './wait.js';

const LANES = 8;
/** Longer than any measure takes. */
const COMMAND = 'exec sleep 3600';

export const kills: Part = {
  name: 'kills',
  async measure(_, { kills: count }) {
    const [one, all] = [await killed(1), await killed(count)];
    const [oneFloor, allFloor] = [await shellKilled(1), await shellKilled(count)];
    return {
      rows: [
        only('a kill, with nothing else running', ms(one)),
        only('… by a shell, which looks for nobody', ms(oneFloor)),
        only(`${count} kills at once, all answered`, ms(all)),
        only('… by a shell', ms(allFloor)),
      ],
      verdicts: [bound(`${count} kills at once: within 5 s`, all / 1_000, 5, 's')],
    };
  },
};

/** Over HTTP, as a person's or an agent's kill comes. */
const killed = (count: number): Promise<number> =>
  onStage(
    rouse({ config: { limits: { processes: count, processesPerSession: count } } }),
    count,
    async ({ field }) => {
      await inLanes(count, LANES, (index) => field.start(index));
      const before = nowMs();
      await Promise.all(
        Array.from({ length: count }, (_, index) => field.ask('POST', `/api/processes/${field.idOf(index)}/kill`, {})),
      );
      return nowMs() - before;
    },
    { commandOf: () => COMMAND },
  );

/** The floor: a shell that signals the group of each of its jobs and waits for them. It looks for no escapee. */
async function shellKilled(count: number): Promise<number> {
  const script = `
    for i in $(seq ${count}); do setsid sleep 3600 & pids="$pids $!" groups="$groups -$!"; done
    for pid in $pids; do until kill -0 -$pid; do :; done; done 2> /dev/null
    echo up; read _; kill -TERM $groups; wait; echo gone`;
  const shell = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface(shell.stdout)[Symbol.asyncIterator]();
  await lines.next();
  const before = nowMs();
  shell.stdin.end('\n');
  await lines.next();
  return nowMs() - before;
}
