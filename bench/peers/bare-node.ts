/** The floors: a bare Node program that starts commands and hears of their ends. */
import { join } from 'node:path';
import type { Peer } from '../peer.js';
import { forkOwn, gone } from '../programs.js';
import { Arrivals } from '../wait.js';

type Told =
  | { readonly ready: true }
  | { readonly started: number; readonly tookMs: number }
  | { readonly ended: number; readonly at: number };

const bare = (name: string, mode: 'plain' | 'commit' | 'pipe', ballastMb = 0): Peer => ({
  name,
  installed: () => true,
  async open({ folder, commands }) {
    const program = forkOwn('peers/bare-node-program.js', { ROUSE_BENCH_BALLAST_MB: String(ballastMb) }, [
      folder,
      mode,
    ]);
    const started = new Arrivals<number, true>();
    const ended = new Arrivals<number, number>();
    const all: Promise<number>[] = [];
    await new Promise<void>((ready) => {
      program.on('message', (told: Told) => {
        if ('ready' in told) ready();
        else if ('started' in told) started.arrive(told.started, true);
        else ended.arrive(told.ended, told.at);
      });
    });
    return {
      start: async (index) => {
        program.send({ index, command: commands[index] });
        all.push(ended.of(index));
        await started.of(index);
      },
      ended: (index) => ended.of(index),
      keepers: async () => [program.pid ?? 0],
      captured: async (index) => [join(folder, `output-${index}`)],
      close: async () => {
        await Promise.all(all);
        program.disconnect();
        await gone(program);
      },
    };
  },
});

export const bareNode = bare('bare Node', 'plain');
export const bareNodeWithCommit = bare('bare Node + SQLite commit', 'commit');
export const bareNodeOverPipe = bare('bare Node', 'pipe');
export const bareNodeWith = (ballastMb: number): Peer => bare('bare Node', 'plain', ballastMb);
