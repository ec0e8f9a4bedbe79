/** What a host's memory grows by with sessions in which nothing happens any more. */
import { rouse } from '../rouse.js';
import { onStage } from '../stage.js';
import { pssKb } from '../usage.js';
import { inLanes } from '../wait.js';
import { Feed } from './feed.js';
import { turnMs } from './talk.js';

/** The first turns of a host make it larger once and for all: its code is compiled, its caches fill. */
const WARM_UP = 100;
const LANES = 8;

/** In kilobytes, for `count` sessions that each had a turn. */
export const idleSessionsKb = (count: number): Promise<number> =>
  onStage(rouse(), 0, async ({ field }) => {
    using feed = await Feed.of(field);
    const talk = async () => void (await turnMs(field, feed, await field.session()));
    const memoryKb = async () => {
      await field.collectGarbage();
      return pssKb([field.pid]);
    };
    await inLanes(WARM_UP, LANES, talk);
    const before = await memoryKb();
    await inLanes(count, LANES, talk);
    return (await memoryKb()) - before;
  });
