/** (e) What a start costs when the program that asks for it is large. */
import { median } from './numbers.js';
import { nowMs, type Peer } from './peer.js';
import { bareNodeWith } from './peers/bare-node.js';
import type { Plan } from './plan.js';
import { rouse } from './rouse.js';
import { onStage } from './stage.js';

const BALLAST_MB = 1_024;

export type LargeHostFigures = { readonly smallMs: number; readonly largeMs: number };

export async function largeHost({ largeStarts }: Plan): Promise<{ rouse: LargeHostFigures; bare: LargeHostFigures }> {
  return {
    rouse: {
      smallMs: await startMs(rouse(), largeStarts),
      largeMs: await startMs(rouse({ ballastMb: BALLAST_MB }), largeStarts),
    },
    bare: {
      smallMs: await startMs(bareNodeWith(0), largeStarts),
      largeMs: await startMs(bareNodeWith(BALLAST_MB), largeStarts),
    },
  };
}

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
