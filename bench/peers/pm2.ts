/** pm2, installed by the bench into a folder of its own; ends are heard on its bus. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Peer } from '../peer.js';
import { forkOwn, gone } from '../programs.js';
import { Arrivals } from '../wait.js';

type Told =
  | { readonly ready: true }
  | { readonly started: number }
  | { readonly ended: number; readonly at: number }
  | { readonly failed: string };

/** False when the registry cannot be reached. */
export const installPm2 = (packages: string): boolean =>
  spawnSync('npm', ['install', '--prefix', packages, '--ignore-scripts', '--no-audit', '--no-fund', 'pm2'], {
    stdio: 'ignore',
    timeout: 120_000,
  }).status === 0;

export const pm2In = (packages: string, there: boolean): Peer => ({
  name: 'pm2',
  installed: () => there,
  async open({ folder, commands }) {
    const env = { PM2_HOME: join(folder, 'pm2'), PM2_DISABLE_VERSION_CHECK: 'true' };
    const program = forkOwn('peers/pm2-program.js', env, [packages, folder]);
    program.stderr?.resume();
    const started = new Arrivals<number, true>();
    const ended = new Arrivals<number, number>();
    await new Promise<void>((ready) => {
      program.on('message', (told: Told) => {
        if ('ready' in told) ready();
        else if ('started' in told) started.arrive(told.started, true);
        else if ('ended' in told) ended.arrive(told.ended, told.at);
        else console.error(told.failed);
      });
    });
    const daemon = Number(readFileSync(join(folder, 'pm2/pm2.pid'), 'latin1'));
    return {
      start: async (index) => {
        program.send({ index, command: commands[index] });
        await started.of(index);
      },
      ended: (index) => ended.of(index),
      keepers: async () => [daemon],
      captured: async (index) => [join(folder, `output-${index}`)],
      close: async () => {
        program.send('close');
        await gone(program);
      },
    };
  },
});
