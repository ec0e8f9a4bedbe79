/** (b) Lines at full speed: how fast they are taken, what it costs the keeper, and how many are lost. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { carryToDisk, count, linesFile, megabytesPerSecond, tookMs, whenQuiet, writes, type Lines } from './lines.js';
import { median } from './numbers.js';
import type { Part } from './part.js';
import type { Field, Peer } from './peer.js';
import { bareNodeOverPipe } from './peers/bare-node.js';
import { s6, s6WithLog } from './peers/s6.js';
import type { Plan } from './plan.js';
import { besideRedirect, type Capture } from './redirect.js';
import { atLeast, bound, ms, only, row, whole } from './report.js';
import { rouse, RouseField } from './rouse.js';
import { inFolder, onStage } from './stage.js';
import { cpuMs } from './usage.js';

type QuotaFigures = {
  readonly megabytesPerSecond: number;
  /** The most that any run left on the disk. */
  readonly worstDiskMb: number;
  readonly releasedIsExact: boolean;
};

type Captures = {
  readonly redirect: Capture;
  readonly peers: ReadonlyMap<string, Capture>;
  readonly withQuota: QuotaFigures;
  readonly cat: Capture;
  readonly shareOfCat: number;
};

export const captures: Part = {
  name: 'capture',
  async measure(guests, plan) {
    const takers = guests.map((guest) => (guest === s6 ? s6WithLog : guest));
    const { redirect, cat, peers, withQuota, shareOfCat } = await capture([bareNodeOverPipe, ...takers], plan);
    const taken = new Map([...peers, ['shell redirect', redirect], ['through cat', cat]] as const);
    return {
      rows: [
        row('lines captured', taken, (figures) => `${whole(figures.megabytesPerSecond)} MB/s`),
        row('… CPU of the keeper', taken, ({ keeperCpuMs }) => ms(keeperCpuMs)),
        row('… lines lost', taken, ({ linesLost }) => whole(linesLost)),
        only('… with the quota of 64 MiB', `${whole(withQuota.megabytesPerSecond)} MB/s`),
        only(
          '… most disk then, released bytes',
          `${whole(withQuota.worstDiskMb)} MB, ${withQuota.releasedIsExact ? 'exact' : 'WRONG'}`,
        ),
      ],
      verdicts: [
        atLeast('capturing: 95 % of `| cat > file`', shareOfCat, 1, 0.95),
        bound('with the quota of 64 MiB: under 80 MB on the disk', withQuota.worstDiskMb, 80, 'MB'),
      ],
    };
  },
};

const capture = (peers: readonly Peer[], plan: Plan): Promise<Captures> =>
  inFolder(async (folder) => {
    const lines = linesFile(join(folder, 'lines'), plan.captureBytes);
    const few = linesFile(join(folder, 'few'), plan.redirectBytes);
    const { ours, redirect, cat, shareOfCat } = await besideRedirect(few, plan.redirectRounds);
    const quotas: QuotaFigures[] = [];
    for (let round = 0; round < plan.captureRounds; round++) quotas.push(await withQuota(lines));
    const others = new Map<string, Capture>();
    for (const peer of peers) others.set(peer.name, await capturedBy(peer, lines));
    return {
      redirect,
      peers: new Map([['Rouse', ours], ...others]),
      withQuota: {
        megabytesPerSecond: median(quotas.map((run) => run.megabytesPerSecond)),
        worstDiskMb: Math.max(...quotas.map((run) => run.worstDiskMb)),
        releasedIsExact: quotas.every((run) => run.releasedIsExact),
      },
      cat,
      shareOfCat,
    };
  });

/** Runs the writer under a peer; `measure` is asked when all has been taken. */
const underPeer = <Result>(
  peer: Peer,
  lines: Lines,
  measure: (field: Field, files: readonly string[], megabytesPerSecond: number, keeperCpuMs: number) => Promise<Result>,
): Promise<Result> =>
  inFolder((folder) => {
    const times = join(folder, 'times');
    return onStage(
      peer,
      1,
      async ({ field, gates: [gate] }) => {
        await field.start(0);
        await gate?.reached();
        const keepers = await field.keepers();
        const files = () => field.captured(0);
        await files();
        const ended = field.ended(0);
        await carryToDisk();
        const before = cpuMs(keepers);
        gate?.open();
        await ended;
        await whenQuiet(files);
        const taken = await files();
        return measure(field, taken, megabytesPerSecond(lines, tookMs(times, taken).allMs), cpuMs(keepers) - before);
      },
      { commandOf: (gate) => `cat ${gate.path}; ${writes(lines, times)}`, folder },
    );
  });

const capturedBy = (peer: Peer, lines: Lines): Promise<Capture> =>
  underPeer(peer, lines, async ({ continued }, files, megabytesPerSecond, keeperCpuMs) => ({
    megabytesPerSecond,
    keeperCpuMs,
    linesLost: lines.count - count(files, '\n') + (continued ? count(files, continued) : 0),
  }));

const withQuota = (lines: Lines): Promise<QuotaFigures> =>
  underPeer(rouse(), lines, async (field, files, megabytesPerSecond) => {
    if (!(field instanceof RouseField)) throw new Error('Only Rouse has a quota.');
    const [file = ''] = files;
    const { process } = await field.ask<{ process: { outputBytes: number; releasedBytes: number } }>(
      'GET',
      `/api/processes/${field.idOf(0)}`,
    );
    const diskBytes = statSync(file).blocks * 512;
    return {
      megabytesPerSecond,
      worstDiskMb: diskBytes / 1e6,
      // The hole begins and ends at whole blocks, so nothing but the two edges may differ.
      releasedIsExact:
        process.outputBytes === lines.bytes &&
        Math.abs(process.outputBytes - process.releasedBytes - diskBytes) <= 4 * statSync(file).blksize,
    };
  });
