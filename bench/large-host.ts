/** (e) What a start costs when the program that asks for it is large. */
import { median } from './numbers.js';
import type { Part } from './part.js';
import { nowMs, type Peer } from './peer.js';
import { bareNodeWith } from './peers/bare-node.js';
import { atMost, ms, row } from './report.js';
import { rouse } from './rouse.js';
import { onStage } from './stage.js';

const BALLAST_MB = 1_024;

export const large: Part = {
  name: 'large',
  async measure(_, { largeStarts }) {
    const ours = {
      smallMs: await startMs(rouse(), largeStarts),
      largeMs: await startMs(rouse({ ballastMb: BALLAST_MB }), largeStarts),
    };
    const bare = {
      smallMs: await startMs(bareNodeWith(0), largeStarts),
      largeMs: await startMs(bareNodeWith(BALLAST_MB), largeStarts),
    };
    const sizes = new Map([
      ['Rouse', ours],
      ['bare Node', bare],
    ]);
    return {
      rows: [
        row('a start, asked of a small program, p50', sizes, ({ smallMs }) => ms(smallMs)),
        row('a start, asked of one of 1 GB, p50', sizes, ({ largeMs }) => ms(largeMs)),
      ],
      verdicts: [atMost('a start from 1 GB: no more than 1.25 of a small host', ours.largeMs, ours.smallMs, 1.25)],
    };
  },
};

const startMs = (peer: Peer, count: number): Promise<number> =>
  onStage(peer, count, async ({ field, gates }) => {
    const took: number[] = [];
    for (const [index, gate] of gates.entries()) {
      const before = nowMs();
      await field.start(index);
      took.push(nowMs() - before);
      await gate.reached();
    }
    return median(took);
  });
