/**
 * The same command under Rouse and under a plain redirect of the shell, in turns.
 *
 * Both stand at their gates beside the same host, write to a fresh file on the same disk, and get the memory that the
 * one before has just given back: memory that nobody has touched for a while makes a writer up to twice as slow,
 * whoever it is. Time in which the writer stood in line for a core is not counted: others had it.
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { carryToDisk, count, megabytesPerSecond, tookMs, writes, type Lines } from './lines.js';
import { median } from './numbers.js';
import { gone } from './programs.js';
import { rouse, type RouseField } from './rouse.js';
import { inFolder, onStage, type Scene } from './stage.js';
import { childrenOf, cpuMs } from './usage.js';

export type Capture = {
  readonly megabytesPerSecond: number;
  readonly keeperCpuMs: number;
  readonly linesLost: number;
};

type BesideRedirect = {
  readonly ours: Capture;
  readonly redirect: Capture;
  /** The rate of ours in that of the redirect. */
  readonly share: number;
};

export const besideRedirect = (lines: Lines, rounds: number): Promise<BesideRedirect> =>
  inFolder((folder) =>
    onStage(
      rouse({ quotaBytes: lines.bytes * 2 }),
      2 * (rounds + 1),
      async (scene) => {
        const turns = new Turns(scene, lines, folder);
        // The first pay for memory that nobody has touched before, whoever they are.
        await turns.round(0);
        const pairs: { ours: Capture; redirect: Capture }[] = [];
        for (let round = 1; round <= rounds; round++) pairs.push(await turns.round(round));
        const ours = middle(pairs.map((pair) => pair.ours));
        const redirect = middle(pairs.map((pair) => pair.redirect));
        return { ours, redirect, share: ours.megabytesPerSecond / redirect.megabytesPerSecond };
      },
      { commandOf: (gate) => `cat ${gate.path}; ${writes(lines, `${gate.path}-times`)}`, folder },
    ),
  );

const middle = (runs: readonly Capture[]): Capture => ({
  megabytesPerSecond: median(runs.map((run) => run.megabytesPerSecond)),
  keeperCpuMs: median(runs.map((run) => run.keeperCpuMs)),
  linesLost: Math.max(...runs.map((run) => run.linesLost)),
});

class Turns {
  #last = '';

  constructor(
    readonly scene: Scene<RouseField>,
    readonly lines: Lines,
    readonly folder: string,
  ) {}

  async round(round: number): Promise<{ ours: Capture; redirect: Capture }> {
    if (round % 2 === 1) return { ours: await this.#ours(2 * round), redirect: await this.#redirect(2 * round + 1) };
    const redirect = await this.#redirect(2 * round + 1);
    return { ours: await this.#ours(2 * round), redirect };
  }

  async #ours(index: number): Promise<Capture> {
    const { field } = this.scene;
    await field.start(index);
    const [output = ''] = await field.captured(index);
    return this.#taken(index, output, () => field.ended(index));
  }

  #redirect(index: number): Promise<Capture> {
    const output = join(this.folder, `redirected-${index}`);
    const shell = spawn('bash', ['-c', `{ ${this.scene.field.commands[index]}; } > ${output}`], { stdio: 'ignore' });
    return this.#taken(index, output, () => gone(shell));
  }

  async #taken(index: number, output: string, ended: () => Promise<unknown>): Promise<Capture> {
    const { gates, field } = this.scene;
    const gate = gates[index];
    await gate?.reached();
    const over = ended();
    const keepers = [field.pid, ...childrenOf(field.pid)];
    rmSync(this.#last, { force: true });
    this.#last = output;
    await carryToDisk();
    const before = cpuMs(keepers);
    gate?.open();
    await over;
    const { allMs, waitedMs } = tookMs(`${gate?.path}-times`, [output]);
    return {
      keeperCpuMs: cpuMs(keepers) - before,
      megabytesPerSecond: megabytesPerSecond(this.lines, allMs - waitedMs),
      linesLost: this.lines.count - count([output], '\n'),
    };
  }
}
