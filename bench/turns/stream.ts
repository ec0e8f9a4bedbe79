/** A long answer through a turn, to its stored end and with somebody who watches, beside reading it bare. */
import { median } from '../numbers.js';
import { rouse } from '../rouse.js';
import { onStage } from '../stage.js';
import { cpuMs } from '../usage.js';
import { Feed } from './feed.js';
import { PacedProvider, type Pace } from './paced-provider.js';
import { turnMs } from './talk.js';

export type Streamed = { readonly turnMs: number; readonly bareMs: number; readonly hostCpuMs: number };

export async function streamed(rounds: number, pace: Pace): Promise<Streamed> {
  await using provider = await PacedProvider.start(pace);
  const settings = { providers: { paced: { baseUrl: provider.url } } };
  return await onStage(rouse({ config: settings }), 0, async ({ field }) => {
    using feed = await Feed.of(field);
    const session = await field.session({ model: 'paced/long-answer' });
    const runs: Streamed[] = [];
    // The first loads what a first turn loads, on both sides, and is not counted.
    for (let round = 0; round <= rounds; round++) {
      const before = cpuMs([field.pid]);
      const took = await turnMs(field, feed, session);
      const hostCpuMs = cpuMs([field.pid]) - before;
      runs.push({ turnMs: took, hostCpuMs, bareMs: await provider.bareMs() });
    }
    const of = (figure: keyof Streamed) => median(runs.slice(1).map((run) => run[figure]));
    return { turnMs: of('turnMs'), bareMs: of('bareMs'), hostCpuMs: of('hostCpuMs') };
  });
}
