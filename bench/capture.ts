/** (b) Lines at full speed: how fast they are taken, what it costs the keeper, and how many are lost. */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, fsyncSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { median, sum } from './numbers.js';
import type { Part } from './part.js';
import type { Field, Peer } from './peer.js';
import { bareNodeOverPipe } from './peers/bare-node.js';
import { s6, s6WithLog } from './peers/s6.js';
import type { Plan } from './plan.js';
import { gone } from './programs.js';
import { atLeast, bound, ms, only, row, whole } from './report.js';
import { rouse, RouseField } from './rouse.js';
import { inFolder, onStage } from './stage.js';
import { cpuMs } from './usage.js';
import { pause } from './wait.js';

const LINE_BYTES = 100;
const QUIET_MS = 300;

type CaptureFigures = {
  readonly megabytesPerSecond: number;
  readonly keeperCpuMs: number;
  readonly linesLost: number;
};

type QuotaFigures = {
  readonly megabytesPerSecond: number;
  /** The most that any run left on the disk. */
  readonly worstDiskMb: number;
  readonly releasedIsExact: boolean;
};

type Captures = {
  readonly redirect: CaptureFigures;
  readonly peers: ReadonlyMap<string, CaptureFigures>;
  readonly withQuota: QuotaFigures;
  /** Rouse against the redirect of the same round. */
  readonly shareOfRedirect: number;
};

export const captures: Part = {
  name: 'capture',
  async measure(guests, plan) {
    const takers = guests.map((guest) => (guest === s6 ? s6WithLog : guest));
    const { redirect, peers, withQuota, shareOfRedirect } = await capture([bareNodeOverPipe, ...takers], plan);
    const taken = new Map([...peers, ['shell redirect', redirect] as const]);
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
        atLeast('capturing: 95 % of the redirect', shareOfRedirect, 1, 0.95),
        bound('with the quota of 64 MiB: under 80 MB on the disk', withQuota.worstDiskMb, 80, 'MB'),
      ],
    };
  },
};

const capture = (peers: readonly Peer[], plan: Plan): Promise<Captures> =>
  inFolder(async (folder) => {
    const lines = linesFile(join(folder, 'lines'), plan.captureBytes);
    const lossless = rouse({ quotaBytes: plan.captureBytes * 2 });
    const redirects: CaptureFigures[] = [];
    const ours: CaptureFigures[] = [];
    const quotas: QuotaFigures[] = [];
    // The first run pays for memory that nobody has touched before, whoever it is.
    await redirected(lines);
    for (let round = 0; round < plan.captureRounds; round++) {
      if (round % 2 === 0) redirects.push(await redirected(lines));
      ours.push(await capturedBy(lossless, lines));
      if (round % 2 === 1) redirects.push(await redirected(lines));
      quotas.push(await withQuota(lines));
    }
    const others = new Map<string, CaptureFigures>();
    for (const peer of peers) others.set(peer.name, await capturedBy(peer, lines));
    return {
      redirect: middle(redirects),
      peers: new Map([['Rouse', middle(ours)], ...others]),
      withQuota: {
        megabytesPerSecond: median(quotas.map((run) => run.megabytesPerSecond)),
        worstDiskMb: Math.max(...quotas.map((run) => run.worstDiskMb)),
        releasedIsExact: quotas.every((run) => run.releasedIsExact),
      },
      shareOfRedirect: median(
        ours.map((own, round) => own.megabytesPerSecond / (redirects[round]?.megabytesPerSecond ?? Number.NaN)),
      ),
    };
  });

const middle = (runs: readonly CaptureFigures[]): CaptureFigures => ({
  megabytesPerSecond: median(runs.map((run) => run.megabytesPerSecond)),
  keeperCpuMs: median(runs.map((run) => run.keeperCpuMs)),
  linesLost: Math.max(...runs.map((run) => run.linesLost)),
});

type Lines = { readonly path: string; readonly bytes: number; readonly count: number };

/** Numbered lines. Just written, so that they are read from memory. */
function linesFile(path: string, bytes: number): Lines {
  const count = Math.floor(bytes / LINE_BYTES);
  const file = openSync(path, 'w');
  const batch = 10_000;
  for (let first = 0; first < count; first += batch) {
    const numbers = Array.from({ length: Math.min(batch, count - first) }, (_, index) => first + index);
    writeSync(file, numbers.map((number) => `line ${number} `.padEnd(LINE_BYTES - 1, '.')).join('\n') + '\n');
  }
  fsyncSync(file);
  closeSync(file);
  return { path, bytes: count * LINE_BYTES, count };
}

/** Nobody is slowed down for what another has left in memory to be written. */
const carryToDisk = () => execFileSync('sync');

/** Plain reads and writes of 64 KiB; notes its own beginning and end. */
const writes = (lines: Lines, times: string): string =>
  `began=$EPOCHREALTIME; dd if=${lines.path} bs=64k status=none; echo $began $EPOCHREALTIME > ${times}`;

const redirected = (lines: Lines): Promise<CaptureFigures> =>
  inFolder(async (folder) => {
    const times = join(folder, 'times');
    const output = join(folder, 'output');
    carryToDisk();
    await gone(spawn('bash', ['-c', `{ ${writes(lines, times)}; } > ${output}`], { stdio: 'ignore' }));
    return {
      megabytesPerSecond: await rate(lines, times, async () => [output]),
      keeperCpuMs: 0,
      linesLost: lines.count - count([output], '\n'),
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
        carryToDisk();
        const before = cpuMs(keepers);
        gate?.open();
        await ended;
        const megabytesPerSecond = await rate(lines, times, files);
        return measure(field, await files(), megabytesPerSecond, cpuMs(keepers) - before);
      },
      { commandOf: (gate) => `cat ${gate.path}; ${writes(lines, times)}`, folder },
    );
  });

const capturedBy = (peer: Peer, lines: Lines): Promise<CaptureFigures> =>
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

/** Up to the last write of either side: a keeper that still had it in memory had not taken it yet. */
async function rate(lines: Lines, times: string, files: () => Promise<readonly string[]>): Promise<number> {
  await whenQuiet(files);
  const [began = 0, ended = 0] = readFileSync(times, 'latin1').split(' ').map(Number);
  const lastWrites = (await files()).map((file) => statSync(file).mtimeMs / 1_000);
  return lines.bytes / 1e6 / (Math.max(ended, ...lastWrites) - began);
}

/** Over when the files have not grown for a while. */
async function whenQuiet(files: () => Promise<readonly string[]>): Promise<void> {
  const size = async () => sum((await files()).map((file) => statSync(file).size));
  for (let before = -1, now = await size(); now !== before; now = await size()) {
    before = now;
    await pause(QUIET_MS);
  }
}

/** How often the text occurs; an occurrence may lie across two reads. */
function count(files: readonly string[], text: string): number {
  const overlap = text.length - 1;
  const chunk = Buffer.alloc(1_048_576);
  let found = 0;
  for (const path of files) {
    const file = openSync(path, 'r');
    let kept = 0;
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk, kept, chunk.length - kept, null)) {
      const filled = chunk.subarray(0, kept + read);
      for (let at = filled.indexOf(text); at >= 0; at = filled.indexOf(text, at + 1)) found++;
      kept = Math.min(overlap, filled.length);
      filled.copy(chunk, 0, filled.length - kept);
    }
    closeSync(file);
  }
  return found;
}
