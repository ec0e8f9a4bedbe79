/** (d) The host is killed with -9 while many run: how soon a new one has all of them, and answers. */
import { median } from './numbers.js';
import type { Plan } from './plan.js';
import { rouse, RouseField } from './rouse.js';
import { onStage } from './stage.js';
import { inLanes } from './wait.js';

export type RecoveryFigures = {
  readonly recoveredMs: number;
  readonly answeredMs: number;
  /** Processes that the new host shows as running; all of them, or it is a bug. */
  readonly running: number;
};

export const recovery = ({ crowd, recoveries }: Plan): Promise<RecoveryFigures> =>
  onStage(rouse(), crowd, async ({ field, gates }) => {
    if (!(field instanceof RouseField)) throw new Error('Only Rouse recovers.');
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
