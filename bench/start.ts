/** (c) Starting many: how many a second, what each costs in memory, and what all of them cost while nothing happens. */
import { median } from './numbers.js';
import type { Part } from './part.js';
import { nowMs, type Field, type Peer } from './peer.js';
import { bareNode } from './peers/bare-node.js';
import type { Plan } from './plan.js';
import { atLeast, atMost, bound, kb, row, whole } from './report.js';
import { rouse, RouseField } from './rouse.js';
import { onStage } from './stage.js';
import { cpuMs, pssKb } from './usage.js';
import { inLanes, pause } from './wait.js';

const LANES = 16;

type StartFigures = {
  readonly oneByOnePerSecond: number;
  readonly lanesPerSecond: number;
  /** By how much all keepers together grew, divided by the number of processes. */
  readonly grownKb: number;
  readonly shimKb?: number;
  readonly totalMb: number;
  readonly idlePercent: number;
};

type Run = { readonly perSecond: number; readonly memory: Memory };
type Memory = { readonly grownKb: number; readonly shimKb?: number; readonly totalMb: number };

export const starts: Part = {
  name: 'starts',
  async measure(guests, plan) {
    const figures = await starting([rouse(), bareNode, ...guests], plan);
    const [ours, conmon] = [figures.get('Rouse'), figures.get('conmon')];
    return {
      rows: [
        row('started a second, one by one', figures, ({ oneByOnePerSecond }) => whole(oneByOnePerSecond)),
        row('started a second, 16 at a time', figures, ({ lanesPerSecond }) => whole(lanesPerSecond)),
        row('memory a process, keeper and shim', figures, ({ grownKb }) => kb(grownKb)),
        row('… shim alone', figures, ({ shimKb }) => (shimKb ? kb(shimKb) : undefined)),
        row(`… keepers in all with ${plan.crowd}`, figures, ({ totalMb }) => `${whole(totalMb)} MB`),
        row(`idle with ${plan.crowd}, share of a core`, figures, ({ idlePercent }) => `${idlePercent.toFixed(2)} %`),
      ],
      verdicts: [
        atMost('memory a process: no more than conmon', ours?.grownKb, conmon?.grownKb),
        atLeast('one by one: as many starts as conmon', ours?.oneByOnePerSecond, conmon?.oneByOnePerSecond),
        atLeast('16 at a time: as many starts as conmon', ours?.lanesPerSecond, conmon?.lanesPerSecond),
        bound(`idle with ${plan.crowd}: under 0.3 % of a core`, ours?.idlePercent, 0.3, '%'),
      ],
    };
  },
};

async function starting(peers: readonly Peer[], plan: Plan): Promise<Map<string, StartFigures>> {
  const figures = new Map<string, StartFigures>();
  const oneByOne = new Map<string, number[]>();
  const inLanes = new Map<string, number[]>();
  for (let round = 0; round < plan.startRounds; round++)
    for (const peer of peers) {
      push(oneByOne, peer.name, (await startRun(peer, plan, { lanes: 1 })).perSecond);
      const idleMs = round === plan.startRounds - 1 ? plan.idleMs : 0;
      const { perSecond, memory, idlePercent } = await startRun(peer, plan, { lanes: LANES, idleMs });
      push(inLanes, peer.name, perSecond);
      figures.set(peer.name, { oneByOnePerSecond: 0, lanesPerSecond: 0, ...memory, idlePercent });
    }
  return new Map(
    [...figures].map(([name, last]) => [
      name,
      {
        ...last,
        oneByOnePerSecond: median(oneByOne.get(name) ?? []),
        lanesPerSecond: median(inLanes.get(name) ?? []),
      },
    ]),
  );
}

function push(rates: Map<string, number[]>, name: string, rate: number): void {
  rates.set(name, [...(rates.get(name) ?? []), rate]);
}

type Load = {
  /** How many starts are asked for at a time. */
  readonly lanes: number;
  /** How long to look at the idle keepers; not at all by default. */
  readonly idleMs?: number;
  /** What a client does with each process once all run, such as to wait for its end. */
  readonly attend?: (field: Field, index: number) => Promise<unknown>;
};

export const startRun = (
  peer: Peer,
  { crowd, settleMs }: Plan,
  { lanes, idleMs = 0, attend }: Load,
): Promise<Run & { idlePercent: number }> =>
  onStage(peer, crowd, async ({ field, gates }) => {
    await pause(200);
    const emptyKb = pssKb(await field.keepers());
    const before = nowMs();
    await inLanes(crowd, lanes, (index) => field.start(index));
    const perSecond = (crowd / (nowMs() - before)) * 1_000;
    for (const gate of gates) await gate.reached();
    // They go on until the stage closes, which may cut them off.
    if (attend) for (const index of gates.keys()) attend(field, index).catch(() => undefined);
    const keepers = await field.keepers();
    const idlePercent = idleMs > 0 ? await idleCpu(keepers, settleMs, idleMs) : 0;
    const fullKb = pssKb(keepers);
    const memory = {
      grownKb: (fullKb - emptyKb) / crowd,
      totalMb: fullKb / 1_024,
      ...(field instanceof RouseField && { shimKb: pssKb(field.shims()) / crowd }),
    };
    return { perSecond, memory, idlePercent };
  });

/** In percent of one core, once those who tidy up after themselves have done so. */
async function idleCpu(keepers: readonly number[], settleMs: number, forMs: number): Promise<number> {
  await pause(settleMs);
  const [cpuBefore, before] = [cpuMs(keepers), nowMs()];
  await pause(forMs);
  return ((cpuMs(keepers) - cpuBefore) / (nowMs() - before)) * 100;
}
