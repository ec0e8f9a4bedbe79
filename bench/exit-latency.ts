/** (a) From a command's end to the moment its keeper knows it; for Rouse, to the moment after the commit. */
import { median, percentile } from './numbers.js';
import type { Part } from './part.js';
import type { Field, Peer } from './peer.js';
import { bareNode, bareNodeWithCommit } from './peers/bare-node.js';
import type { Plan } from './plan.js';
import { atMost, ms, row } from './report.js';
import { rouse } from './rouse.js';
import { onStage, type Scene } from './stage.js';
import { inLanes, pause } from './wait.js';

const SETTLE_MS = 10;

export type ExitFigures = { readonly p50: number; readonly p99: number; readonly atOnceMs: number };

/** The moment at which an end counts as seen; asked for before the end. */
export type Seen = (field: Field, index: number) => Promise<number>;

export const exits: Part = {
  name: 'exits',
  async measure(guests, plan) {
    const figures = await exitLatency([rouse(), bareNode, ...guests, bareNodeWithCommit], plan, known);
    const ours = figures.get('Rouse');
    return {
      rows: [
        row('exit to known end, p50', figures, ({ p50 }) => ms(p50)),
        row('exit to known end, p99', figures, ({ p99 }) => ms(p99)),
        row(`${plan.crowd} exits at once, all known`, figures, ({ atOnceMs }) => ms(atOnceMs)),
      ],
      verdicts: [
        ...['conmon', 'pm2', 'containerd', 'tmux', 'supervisord'].map((peer) =>
          atMost(`exit to stored end, p50: no more than ${peer}`, ours?.p50, figures.get(peer)?.p50),
        ),
        atMost(`${plan.crowd} exits at once: stored when s6 sees them`, ours?.atOnceMs, figures.get('s6')?.atOnceMs),
      ],
    };
  },
};

const known: Seen = (field, index) => field.ended(index);

export async function exitLatency(peers: readonly Peer[], plan: Plan, seen: Seen): Promise<Map<string, ExitFigures>> {
  const singles = await singleExits(peers, plan, seen);
  const crowds = await crowdsIn(peers, plan, seen);
  return new Map(peers.map(({ name }) => [name, figuresOf(singles.get(name) ?? [], crowds.get(name) ?? [])]));
}

const figuresOf = (singlesMs: readonly number[], crowdsMs: readonly number[]): ExitFigures => ({
  p50: percentile(singlesMs, 0.5),
  p99: percentile(singlesMs, 0.99),
  atOnceMs: median(crowdsMs),
});

/**
 * All of them stay up for a round, and each has one exit in turn: what else the machine does meets everybody alike, and
 * nobody is found with his caches warm from the exit before. The order turns around each time, so that nobody always
 * comes after the same. In the next round they are started anew: some luck lasts for as long as a keeper lives (on which
 * core it finds itself, and beside whom), and between two lives of the same keeper it made the difference of 1.5 and 2.4 ms.
 */
async function singleExits(
  peers: readonly Peer[],
  { singleExits: count, exitRounds }: Plan,
  seen: Seen,
): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>(peers.map(({ name }) => [name, []]));
  const inOneRound = Math.ceil(count / exitRounds);
  for (let round = 0; round < exitRounds; round++)
    await together(peers, inOneRound, async (scenes) => {
      const inTurn = [...scenes];
      for (let index = 0; index < inOneRound; index++) {
        for (const [name, scene] of inTurn) found.get(name)?.push(await singleExit(scene, index, seen));
        inTurn.reverse();
      }
    });
  return found;
}

async function together(
  [first, ...others]: readonly Peer[],
  count: number,
  measure: (scenes: ReadonlyMap<string, Scene>) => Promise<void>,
): Promise<void> {
  if (!first) return measure(new Map());
  await onStage(first, count, (scene) =>
    together(others, count, (scenes) => measure(new Map([[first.name, scene], ...scenes]))),
  );
}

/** One after the other in each round: a crowd wants the machine for itself. */
async function crowdsIn(
  peers: readonly Peer[],
  { exitRounds, crowd }: Plan,
  seen: Seen,
): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>(peers.map(({ name }) => [name, []]));
  for (let round = 0; round < exitRounds; round++)
    for (const peer of peers) found.get(peer.name)?.push(await onStage(peer, crowd, (scene) => allAtOnce(scene, seen)));
  return found;
}

async function singleExit({ field, gates }: Scene, index: number, seen: Seen): Promise<number> {
  const gate = gates[index];
  if (!gate) throw new Error(`There is no gate ${index}.`);
  await field.start(index);
  await gate.reached();
  const ended = seen(field, index);
  await pause(SETTLE_MS);
  const at = gate.open();
  return (await ended) - at;
}

async function allAtOnce({ field, gates }: Scene, seen: Seen): Promise<number> {
  await inLanes(gates.length, 8, (index) => field.start(index));
  for (const gate of gates) await gate.reached();
  const ends = gates.map((_, index) => seen(field, index));
  await pause(500);
  const [first = 0] = gates.map((gate) => gate.open());
  return Math.max(...(await Promise.all(ends))) - first;
}
