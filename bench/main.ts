/** Everything in one run on the same work: Rouse, the floors, and the peers that are there. */
import { parseArgs } from 'node:util';
import { capture } from './capture.js';
import { exitLatency } from './exit-latency.js';
import { largeHost } from './large-host.js';
import type { Peer } from './peer.js';
import { bareNode, bareNodeOverPipe, bareNodeWithCommit } from './peers/bare-node.js';
import { conmon } from './peers/conmon.js';
import { installPm2, pm2In } from './peers/pm2.js';
import { s6, s6WithLog } from './peers/s6.js';
import { supervisord } from './peers/supervisord.js';
import { tmux } from './peers/tmux.js';
import { full, quick, type Plan } from './plan.js';
import { recovery } from './recovery.js';
import { rowsOf, verdictsOf, type Results } from './report.js';
import { rouse } from './rouse.js';
import { inFolder } from './stage.js';
import { starting } from './start.js';
import { table, verdicts } from './table.js';
import { machineTicks, stolenPercent } from './usage.js';

const HELP = `npm run bench -- [--quick] [--no-pm2] [--install-peers]

  --quick           a smoke test of half a minute; its figures mean little
  --no-pm2          does not fetch pm2 into a temporary folder
  --install-peers   installs supervisor, s6, conmon and tmux with apt-get first
`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    'no-pm2': { type: 'boolean', default: false },
    'install-peers': { type: 'boolean', default: false },
  },
});

const COLUMNS = [
  'Rouse',
  'bare Node',
  'bare Node + SQLite commit',
  'shell redirect',
  'conmon',
  's6',
  'supervisord',
  'tmux',
  'pm2',
];

const conditions: string[] = [];

const step = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
  const [before, ticks] = [performance.now(), machineTicks()];
  const result = await work();
  const seconds = ((performance.now() - before) / 1_000).toFixed(0);
  conditions.push(`${what} ${stolenPercent(ticks).toFixed(0)} %`);
  console.error(`${what}: ${seconds} s`);
  return result;
};

async function measured(pm2: Peer, plan: Plan): Promise<Results> {
  const there = (peers: readonly Peer[]) => peers.filter((peer) => peer.installed());
  const others = [conmon, s6, supervisord, tmux, pm2];
  const keepers = there([rouse(), bareNode, ...others]);
  return {
    exits: await step('exits', () => exitLatency([...keepers, bareNodeWithCommit], plan)),
    starts: await step('starts', () => starting(keepers, plan)),
    recovery: await step('recovery', () => recovery(plan)),
    large: await step('large host', () => largeHost(plan)),
    captures: await step('capture', () =>
      capture(there([bareNodeOverPipe, conmon, s6WithLog, supervisord, tmux, pm2]), plan),
    ),
  };
}

async function main(): Promise<void> {
  if (values.help) return void process.stdout.write(HELP);
  const plan = values.quick ? quick : full;
  await inFolder(async (packages) => {
    const pm2 = pm2In(packages, !values['no-pm2'] && installPm2(packages));
    const results = await measured(pm2, plan);
    const absent = new Set(
      [conmon, s6, supervisord, tmux, pm2].filter((peer) => !peer.installed()).map(({ name }) => name),
    );
    console.log(table(COLUMNS, absent, rowsOf(results, plan.crowd)));
    console.log(`\nTime taken from this machine by others on its hardware: ${conditions.join(', ')}.`);
    console.log(`\n${verdicts(verdictsOf(results, plan.crowd))}`);
  });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await main();
