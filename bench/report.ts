/** The figures in rows, and what they say about the promises. */
import type { Captures } from './capture.js';
import type { ExitFigures } from './exit-latency.js';
import type { LargeHostFigures } from './large-host.js';
import type { RecoveryFigures } from './recovery.js';
import type { StartFigures } from './start.js';
import type { Row, Verdict } from './table.js';

export type Results = {
  readonly exits: ReadonlyMap<string, ExitFigures>;
  readonly captures: Captures;
  readonly starts: ReadonlyMap<string, StartFigures>;
  readonly recovery: RecoveryFigures;
  readonly large: { readonly rouse: LargeHostFigures; readonly bare: LargeHostFigures };
};

const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
const whole = (value: number) => Math.round(value).toLocaleString('en-US');
const kb = (value: number) => `${whole(value)} KB`;

function row<Figures>(
  figure: string,
  all: ReadonlyMap<string, Figures>,
  show: (figures: Figures) => string | undefined,
): Row {
  const shown = [...all].map(([name, figures]): [string, string | undefined] => [name, show(figures)]);
  return { figure, cells: new Map(shown.filter((cell): cell is [string, string] => cell[1] !== undefined)) };
}

const only = (figure: string, cell: string): Row => ({ figure, cells: new Map([['Rouse', cell]]) });

export function rowsOf({ exits, captures, starts, recovery, large }: Results, crowd: number): Row[] {
  const taken = new Map([...captures.peers, ['shell redirect', captures.redirect] as const]);
  const sizes = new Map([
    ['Rouse', large.rouse],
    ['bare Node', large.bare],
  ]);
  const { withQuota } = captures;
  return [
    row('exit to known end, p50', exits, (figures) => ms(figures.p50)),
    row('exit to known end, p99', exits, (figures) => ms(figures.p99)),
    row('exit to the answer of a waiting client, p50', exits, ({ waitedP50 }) =>
      waitedP50 ? ms(waitedP50) : undefined,
    ),
    row(`${crowd} exits at once, all known`, exits, (figures) => ms(figures.atOnceMs)),
    row('lines captured', taken, (figures) => `${whole(figures.megabytesPerSecond)} MB/s`),
    row('… CPU of the keeper', taken, (figures) => ms(figures.keeperCpuMs)),
    row('… lines lost', taken, (figures) => whole(figures.linesLost)),
    only('… with the quota of 64 MiB', `${whole(withQuota.megabytesPerSecond)} MB/s`),
    only(
      '… most disk then, released bytes',
      `${whole(withQuota.worstDiskMb)} MB, ${withQuota.releasedIsExact ? 'exact' : 'WRONG'}`,
    ),
    row('started a second, one by one', starts, (figures) => whole(figures.oneByOnePerSecond)),
    row('started a second, 16 at a time', starts, (figures) => whole(figures.lanesPerSecond)),
    row('memory a process, keeper and shim', starts, (figures) => kb(figures.grownKb)),
    row('… shim alone', starts, ({ shimKb }) => (shimKb ? kb(shimKb) : undefined)),
    row(`… keepers in all with ${crowd}`, starts, (figures) => `${whole(figures.totalMb)} MB`),
    row(`idle with ${crowd}, share of a core`, starts, (figures) => `${figures.idlePercent.toFixed(2)} %`),
    only(`recovery of ${crowd} after kill -9`, ms(recovery.recoveredMs)),
    only('… to the first answer', ms(recovery.answeredMs)),
    row('a start, asked of a small program, p50', sizes, (figures) => ms(figures.smallMs)),
    row('a start, asked of one of 1 GB, p50', sizes, (figures) => ms(figures.largeMs)),
  ];
}

export function verdictsOf({ exits, captures, starts, recovery, large }: Results, crowd: number): Verdict[] {
  const ours = { exit: exits.get('Rouse'), start: starts.get('Rouse') };
  const { rouse: sizes } = large;
  return [
    ...['conmon', 'pm2', 'tmux', 'supervisord'].map((peer) =>
      atMost(`exit to stored end, p50: no more than ${peer}`, ours.exit?.p50, exits.get(peer)?.p50),
    ),
    atMost(`${crowd} exits at once: stored when s6 sees them`, ours.exit?.atOnceMs, exits.get('s6')?.atOnceMs),
    atLeast('capturing: 95 % of the redirect', captures.shareOfRedirect, 1, 0.95),
    bound('with the quota of 64 MiB: under 80 MB on the disk', captures.withQuota.worstDiskMb, 80, 'MB'),
    atMost('memory a process: no more than conmon', ours.start?.grownKb, starts.get('conmon')?.grownKb),
    atLeast(
      'one by one: as many starts as conmon',
      ours.start?.oneByOnePerSecond,
      starts.get('conmon')?.oneByOnePerSecond,
    ),
    atLeast('16 at a time: as many starts as conmon', ours.start?.lanesPerSecond, starts.get('conmon')?.lanesPerSecond),
    bound(`idle with ${crowd}: under 0.3 % of a core`, ours.start?.idlePercent, 0.3, '%'),
    bound(`recovery of ${crowd}: within 1 s`, recovery.answeredMs / 1_000, 1, 's'),
    {
      claim: `recovery of ${crowd}: every one is there`,
      ratio: `${recovery.running} of ${crowd}`,
      holds: recovery.running === crowd,
    },
    atMost('a start from 1 GB: no more than 1.25 of a small host', sizes.largeMs, sizes.smallMs, 1.25),
  ].filter((verdict) => verdict !== undefined);
}

/** Nothing is claimed about a peer that was not there. */
const compared = (
  holds: (ratio: number) => boolean,
  claim: string,
  own?: number,
  other?: number,
): Verdict | undefined =>
  own === undefined || other === undefined
    ? undefined
    : { claim, ratio: `${(own / other).toFixed(2)}×`, holds: holds(own / other) };

const atMost = (claim: string, own?: number, other?: number, most = 1) =>
  compared((ratio) => ratio <= most, claim, own, other);
const atLeast = (claim: string, own?: number, other?: number, least = 1) =>
  compared((ratio) => ratio >= least, claim, own, other);

const bound = (claim: string, own: number | undefined, most: number, unit: string): Verdict | undefined =>
  own === undefined ? undefined : { claim, ratio: `${own.toFixed(2)} ${unit}`, holds: own < most };
