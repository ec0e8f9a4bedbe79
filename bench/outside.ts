/**
 * (o) The same as a client sees it from outside, with as many requests in flight for every peer: a client of Rouse waits
 * over HTTP, and a client of a peer on whatever tells it of an end (an exit file, a status file, a bus, a stream).
 */
import { exitLatency, type Seen } from './exit-latency.js';
import { median } from './numbers.js';
import type { Part } from './part.js';
import type { Peer } from './peer.js';
import { bareNode } from './peers/bare-node.js';
import type { Plan } from './plan.js';
import { atLeast, atMost, kb, ms, row, whole } from './report.js';
import { rouse, RouseField } from './rouse.js';
import { startRun } from './start.js';

type Crowd = { readonly startedPerSecond: number; readonly grownKb: number; readonly idlePercent: number };

const answered: Seen = (field, index) => (field instanceof RouseField ? field.waited(index) : field.ended(index));

export const outside: Part = {
  name: 'outside',
  async measure(guests, plan) {
    const peers = [rouse(), bareNode, ...guests];
    const exits = await exitLatency(peers, plan, answered);
    const crowds = await crowdsOf(peers, plan);
    const [ours, conmon] = [exits.get('Rouse'), exits.get('conmon')];
    const [ourCrowd, conmonCrowd] = [crowds.get('Rouse'), crowds.get('conmon')];
    return {
      rows: [
        row('exit to the answer of a waiting client, p50', exits, ({ p50 }) => ms(p50)),
        row(`${plan.crowd} exits at once, last waiting client answered`, exits, ({ atOnceMs }) => ms(atOnceMs)),
        row(`${plan.crowd} starts asked for at once, a second`, crowds, (crowd) => whole(crowd.startedPerSecond)),
        row('memory a process with a waiting client', crowds, ({ grownKb }) => kb(grownKb)),
        row(`idle with ${plan.crowd} waiting clients`, crowds, ({ idlePercent }) => `${idlePercent.toFixed(2)} %`),
      ],
      verdicts: [
        atMost('exit to answer, p50: no more than conmon', ours?.p50, conmon?.p50),
        atMost(`${plan.crowd} exits at once to the last answer: no more than conmon`, ours?.atOnceMs, conmon?.atOnceMs),
        atLeast(
          `${plan.crowd} starts at once: as many a second as conmon`,
          ourCrowd?.startedPerSecond,
          conmonCrowd?.startedPerSecond,
        ),
      ],
    };
  },
};

/** Memory and idle time are those of the last round. */
async function crowdsOf(peers: readonly Peer[], plan: Plan): Promise<Map<string, Crowd>> {
  const rates = new Map<string, number[]>(peers.map(({ name }) => [name, []]));
  const crowds = new Map<string, Crowd>();
  for (let round = 1; round <= plan.startRounds; round++)
    for (const peer of peers) {
      const idleMs = round === plan.startRounds ? plan.idleMs : 0;
      const { perSecond, memory, idlePercent } = await startRun(peer, plan, {
        lanes: plan.crowd,
        idleMs,
        attend: answered,
      });
      rates.get(peer.name)?.push(perSecond);
      crowds.set(peer.name, {
        startedPerSecond: median(rates.get(peer.name) ?? []),
        grownKb: memory.grownKb,
        idlePercent,
      });
    }
  return crowds;
}
