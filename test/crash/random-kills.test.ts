/**
 * The host is killed 200 times at random moments while commands are started, end, and write. Each command keeps its own
 * books outside Rouse: a stamp file that counts how often it was started, and output that is known beforehand.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ProcessView } from '../../src/contract/process.js';
import { answered } from '../support/answered.js';
import { dice } from '../support/dice.js';
import { startHost, type TestHost } from '../support/host.js';

const KILLS = 200;
const SEED = Number(process.env['ROUSE_TEST_SEED'] ?? Date.now() % 1_000_000);

type Plan = {
  readonly name: string;
  readonly lines: number;
  readonly code: number;
  readonly pty: boolean;
  readonly quickly: boolean;
};

const outputOf = ({ name, lines }: Plan) =>
  Array.from({ length: lines }, (_, index) => `${name} ${index + 1}\n`).join('');
const sum = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex');

const commandOf = ({ name, lines, code, quickly }: Plan, home: string) =>
  `echo started >> '${join(home, `stamp-${name}`)}'; ` +
  (quickly
    ? `seq -f '${name} %.0f' 1 ${lines}; `
    : `for i in $(seq 1 ${lines}); do echo "${name} $i"; sleep 0.01; done; `) +
  `exit ${code}`;

const startsOf = (home: string, name: string) =>
  existsSync(join(home, `stamp-${name}`))
    ? readFileSync(join(home, `stamp-${name}`), 'utf8').split('\n').length - 1
    : 0;

test(
  `${KILLS} random kills of the host cost no byte, no exit code and no second start (seed ${SEED})`,
  { timeout: 900_000 },
  async () => {
    const roll = dice(SEED);
    const plans: Plan[] = [];
    let host: TestHost = await startHost({ config: { limits: { processes: 5_000 } } });
    for (let kill = 0; kill < KILLS; kill++) {
      const batch = Array.from({ length: 3 }, (_, index): Plan => ({
        name: `k${kill}n${index}`,
        lines: 1 + Math.floor(roll() * (index === 0 ? 60 : 3_000)),
        code: Math.floor(roll() * 256),
        pty: roll() < 0.3,
        quickly: index !== 0,
      }));
      plans.push(...batch);
      // A start whose answer was cut off may or may not have happened: the stamps tell.
      const starts = batch.map((plan) =>
        host.client
          .start({ command: commandOf(plan, host.home), name: plan.name, pty: plan.pty })
          .catch(() => undefined),
      );
      await answered(starts, Math.floor(roll() * (batch.length + 1)));
      await new Promise((later) => setTimeout(later, roll() * 20));
      await host.kill();
      await Promise.all(starts);
      host = await host.again();
    }
    const found = await settled(host);
    let ran = 0;
    for (const plan of plans) {
      const rows = found.filter((process) => process.name === plan.name);
      const starts = startsOf(host.home, plan.name);
      expect(starts, `${plan.name} was started`).toBeLessThanOrEqual(1);
      expect(rows.length, `${plan.name} is remembered`).toBeLessThanOrEqual(1);
      if (starts === 0) {
        if (rows[0])
          expect(rows[0].end, plan.name).toMatchObject({ kind: 'lost', why: expect.stringContaining('never started') });
        continue;
      }
      ran++;
      expect(rows[0]?.end, plan.name).toEqual({ kind: 'exited', code: plan.code });
      const { bytes } = await host.client.bytes(rows[0]?.id ?? '', 0, 1_000_000);
      const written = Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n');
      expect(sum(written), `the output of ${plan.name}`).toBe(sum(outputOf(plan)));
    }
    expect(ran).toBeGreaterThan(KILLS);
  },
);

async function settled(host: TestHost): Promise<readonly ProcessView[]> {
  for (const { id, state } of await host.client.list({ limit: 5_000 }))
    if (state !== 'ended') await host.client.wait(id, 60_000);
  return host.client.list({ limit: 5_000 });
}
