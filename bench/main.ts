/** Everything in one run on the same work: Rouse, the floors, and the peers that are there. */
import { parseArgs } from 'node:util';
import type { Findings, Part } from './part.js';
import { parts } from './parts.js';
import type { Peer } from './peer.js';
import { conmon } from './peers/conmon.js';
import { containerd } from './peers/containerd.js';
import { installPm2, pm2In } from './peers/pm2.js';
import { s6 } from './peers/s6.js';
import { supervisord } from './peers/supervisord.js';
import { tmux } from './peers/tmux.js';
import { full, quick, type Plan } from './plan.js';
import { inFolder } from './stage.js';
import { table, verdicts } from './table.js';
import { machineTicks, stolenPercent } from './usage.js';

const HELP = `npm run bench -- [--quick] [--no-pm2] [--install-peers] [PART …]

  PART              what to measure, all by default: ${parts.map(({ name }) => name).join(', ')}
  --quick           a smoke test of two to three minutes; its figures mean little
  --no-pm2          does not fetch pm2 into a temporary folder
  --install-peers   installs supervisor, s6, conmon, tmux, containerd and runc with apt-get first
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
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
  'through cat',
  'conmon',
  's6',
  'supervisord',
  'tmux',
  'pm2',
  'containerd',
];

const conditions: string[] = [];

const step = async ({ name, measure }: Part, guests: readonly Peer[], plan: Plan): Promise<Findings> => {
  const [before, ticks] = [performance.now(), machineTicks()];
  const findings = await measure(guests, plan);
  const seconds = ((performance.now() - before) / 1_000).toFixed(0);
  conditions.push(`${name} ${stolenPercent(ticks).toFixed(0)} %`);
  console.error(`${name}: ${seconds} s`);
  return findings;
};

function wanted(): readonly Part[] {
  const unknown = positionals.filter((word) => !parts.some(({ name }) => name === word));
  if (unknown.length > 0) {
    process.stderr.write(`There is no part ${unknown.join(', ')}.\n\n${HELP}`);
    process.exit(2);
  }
  return positionals.length > 0 ? parts.filter(({ name }) => positionals.includes(name)) : parts;
}

async function main(): Promise<void> {
  if (values.help) return void process.stdout.write(HELP);
  const asked = wanted();
  await inFolder(async (packages) => {
    const pm2 = pm2In(packages, !values['no-pm2'] && installPm2(packages));
    const peers = [conmon, s6, supervisord, tmux, pm2, containerd];
    const guests = peers.filter((peer) => peer.installed());
    const absent = new Set(peers.filter((peer) => !guests.includes(peer)).map(({ name }) => name));
    const findings: Findings[] = [];
    for (const part of asked) findings.push(await step(part, guests, values.quick ? quick : full));
    const rows = findings.flatMap((found) => found.rows);
    const claims = findings.flatMap((found) => found.verdicts).filter((verdict) => verdict !== undefined);
    console.log(table(COLUMNS, absent, rows));
    console.log(`\nTime taken from this machine by others on its hardware: ${conditions.join(', ')}.`);
    console.log(`\n${verdicts(claims)}`);
  });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await main();
