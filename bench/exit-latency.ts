/** (a) From a command's end to the moment its keeper knows it; for Rouse, to the moment after the commit. */
import { median, percentile } from './numbers.js';
import type { Part } from './part.js';
import type { Peer } from './peer.js';
import { bareNode, bareNodeWithCommit } from './peers/bare-node.js';
import type { Plan } from './plan.js';
import { atMost, ms, row } from './report.js';
import { rouse, RouseField } from './rouse.js';
import { onStage, type Scene } from './stage.js';
import { inLanes, pause } from './wait.js';

const SETTLE_MS = 10;

type ExitFigures = {
  readonly p50: number;
  readonly p99: number;
  readonly atOnceMs: number;
  /** When a waiting client has its answer. */
  readonly waitedP50?: number;
};

type Round = { readonly singles: readonly number[]; readonly waited: readonly number[]; readonly atOnceMs: number };

export const exits: Part = {
  name: 'exits',
  async measure(guests, plan) {
    const figures = await exitLatency([rouse(), bareNode, ...guests, bareNodeWithCommit], plan);
    const ours = figures.get('Rouse');
    return {
      rows: [
        row('exit to known end, p50', figures, ({ p50 }) => ms(p50)),
        row('exit to known end, p99', figures, ({ p99 }) => ms(p99)),
        row('exit to the answer of a waiting client, p50', figures, ({ waitedP50 }) =>
          waitedP50 ? ms(waitedP50) : undefined,
        ),
        row(`${plan.crowd} exits at once, all known`, figures, ({ atOnceMs }) => ms(atOnceMs)),
      ],
      verdicts: [
        ...['conmon', 'pm2', 'tmux', 'supervisord'].map((peer) =>
          atMost(`exit to stored end, p50: no more than ${peer}`, ours?.p50, figures.get(peer)?.p50),
        ),
        atMost(`${plan.crowd} exits at once: stored when s6 sees them`, ours?.atOnceMs, figures.get('s6')?.atOnceMs),
      ],
    };
  },
};

/** The peers take turns, so that what else the machine does meets all of them. */
async function exitLatency(peers: readonly Peer[], plan: Plan): Promise<Map<string, ExitFigures>> {
  const rounds = new Map<string, Round[]>(peers.map((peer) => [peer.name, []]));
  for (let round = 0; round < plan.exitRounds; round++)
    for (const peer of peers) rounds.get(peer.name)?.push(await oneRound(peer, plan));
  return new Map([...rounds].map(([name, rounds]) => [name, figuresOf(rounds)]));
}

function figuresOf(rounds: readonly Round[]): ExitFigures {
  const singles = rounds.flatMap((round) => round.singles);
  const waited = rounds.flatMap((round) => round.waited);
  return {
    p50: percentile(singles, 0.5),
    p99: percentile(singles, 0.99),
    atOnceMs: median(rounds.map((round) => round.atOnceMs)),
    ...(waited.length > 0 && { waitedP50: percentile(waited, 0.5) }),
  };
}

const oneRound = (peer: Peer, { singleExits, crowd }: Plan): Promise<Round> =>
  onStage(peer, singleExits + crowd, async (scene) => {
    const singles: number[] = [];
    const waited: number[] = [];
    for (let index = 0; index < singleExits; index++) {
      const { seenMs, waitedMs } = await singleExit(scene, index);
      singles.push(seenMs);
      if (waitedMs !== undefined) waited.push(waitedMs);
    }
    const atOnceMs = await allAtOnce(scene, singleExits, crowd);
    return { singles, waited, atOnceMs };
  });

async function singleExit({ field, gates }: Scene, index: number): Promise<{ seenMs: number; waitedMs?: number }> {
  const gate = gates[index];
  if (!gate) throw new Error(`There is no gate ${index}.`);
  await field.start(index);
  await gate.reached();
  const ended = field.ended(index);
  const waited = field instanceof RouseField ? field.waited(index) : undefined;
  await pause(SETTLE_MS);
  const at = gate.open();
  const seenMs = (await ended) - at;
  return waited ? { seenMs, waitedMs: (await waited) - at } : { seenMs };
}

async function allAtOnce({ field, gates }: Scene, from: number, count: number): Promise<number> {
  const crowd = gates.slice(from, from + count);
  await inLanes(count, 8, (index) => field.start(from + index));
  for (const gate of crowd) await gate.reached();
  const ends = crowd.map((_, index) => field.ended(from + index));
  await pause(500);
  const [first = 0] = crowd.map((gate) => gate.open());
  return Math.max(...(await Promise.all(ends))) - first;
}
