/**
 * The same command under Rouse, under a plain redirect of the shell, and through `cat` into a file, in turns. Rouse takes
 * output through a pipe, so the last is its floor; the redirect shows what the pipe costs.
 *
 * All stand at their gates beside the same host, write to a fresh file on the same disk, and get the memory that the
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
  readonly cat: Capture;
  /** The rate of ours in that of `cat`. */
  readonly shareOfCat: number;
};

type Round = { readonly ours: Capture; readonly redirect: Capture; readonly cat: Capture };

export const besideRedirect = (lines: Lines, rounds: number): Promise<BesideRedirect> =>
  inFolder((folder) =>
    onStage(
      rouse({ quotaBytes: lines.bytes * 2 }),
      3 * (rounds + 1),
      async (scene) => {
        const turns = new Turns(scene, lines, folder);
        // The first pay for memory that nobody has touched before, whoever they are.
        await turns.round(0);
        const measured: Round[] = [];
        for (let round = 1; round <= rounds; round++) measured.push(await turns.round(round));
        const [ours, redirect, cat] = (['ours', 'redirect', 'cat'] as const).map((who) =>
          middle(measured.map((one) => one[who])),
        ) as [Capture, Capture, Capture];
        return { ours, redirect, cat, shareOfCat: ours.megabytesPerSecond / cat.megabytesPerSecond };
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

  /** Each takes its turn at being the first. */
  async round(round: number): Promise<Round> {
    const first = 3 * round;
    const figures: Partial<Record<keyof Round, Capture>> = {};
    const turns = [
      async () => (figures.ours = await this.#ours(first)),
      async () => (figures.redirect = await this.#shell(first + 1, '>')),
      async () => (figures.cat = await this.#shell(first + 2, '| cat >')),
    ];
    for (let turn = 0; turn < turns.length; turn++) await turns[(turn + round) % turns.length]?.();
    return figures as Round;
  }

  async #ours(index: number): Promise<Capture> {
    const { field } = this.scene;
    await field.start(index);
    const [output = ''] = await field.captured(index);
    return this.#taken(index, output, () => field.ended(index));
  }

  #shell(index: number, into: '>' | '| cat >'): Promise<Capture> {
    const output = join(this.folder, `redirected-${index}`);
    const shell = spawn('bash', ['-c', `{ ${this.scene.field.commands[index]}; } ${into} ${output}`], {
      stdio: 'ignore',
    });
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
