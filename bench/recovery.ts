/** (d) The host is killed with -9 while many run: how soon a new one has all of them, and answers. */
import { median } from './numbers.js';
import type { Part } from './part.js';
import type { Plan } from './plan.js';
import { bound, ms, only } from './report.js';
import { rouse } from './rouse.js';
import { onStage } from './stage.js';
import { inLanes } from './wait.js';

type RecoveryFigures = {
  readonly recoveredMs: number;
  readonly answeredMs: number;
  /** Processes that the new host shows as running; all of them, or it is a bug. */
  readonly running: number;
};

export const recoveries: Part = {
  name: 'recovery',
  async measure(_, plan) {
    const { recoveredMs, answeredMs, running } = await recovery(plan);
    return {
      rows: [
        only(`recovery of ${plan.crowd} after kill -9`, ms(recoveredMs)),
        only('… to the first answer', ms(answeredMs)),
      ],
      verdicts: [
        bound(`recovery of ${plan.crowd}: within 1 s`, answeredMs / 1_000, 1, 's'),
        {
          claim: `recovery of ${plan.crowd}: every one is there`,
          ratio: `${running} of ${plan.crowd}`,
          holds: running === plan.crowd,
        },
      ],
    };
  },
};

const recovery = ({ crowd, recoveries }: Plan): Promise<RecoveryFigures> =>
  onStage(rouse(), crowd, async ({ field, gates }) => {
    await inLanes(crowd, 8, (index) => field.start(index));
    for (const gate of gates) await gate.reached();
    const runs: { recoveredMs: number; answeredMs: number }[] = [];
    for (let round = 0; round < recoveries; round++) {
      await field.kill();
      runs.push(await field.serve());
    }
    const { processes } = await field.ask<{ processes: unknown[] }>('GET', '/api/processes?state=running');
    return {
      recoveredMs: median(runs.map((run) => run.recoveredMs)),
      answeredMs: median(runs.map((run) => run.answeredMs)),
      running: processes.length,
    };
  });
