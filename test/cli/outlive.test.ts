import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ProcessView } from '../../src/contract/process.js';
import { statOf } from '../../src/place/local/proc.js';
import { newHome } from '../support/host.js';
import { until } from '../support/until.js';
import { endHost, rouse, started } from './rouse.js';

/** The story of the README, word for word. */
test.each([[[]], [['--pty']]])(
  'P12 a killed host is brought back by whoever looks, and nothing is missing (%j)',
  async (how) => {
    const home = newHome();
    const id = await started(
      home,
      '--name',
      'build',
      ...how,
      '--',
      'sh',
      '-c',
      'for i in 1 2 3 4 5; do echo $i; sleep 1; done; exit 3',
    );
    const pid = Number(/^command (\d+)/m.exec(readFileSync(join(home, 'processes', id, 'pid'), 'latin1'))?.[1]);
    await endHost(home);
    await until('the command has ended by itself', () => statOf(pid) === undefined);
    const endedBefore = Date.now() + 50;
    expect((await rouse(home, ['ps', '-a'])).stdout).toMatch(/build +exit 3/);
    const { processes } = JSON.parse((await rouse(home, ['ps', '-a', '--json'])).stdout) as {
      processes: ProcessView[];
    };
    expect(processes[0]).toMatchObject({ id, end: { kind: 'exited', code: 3 } });
    expect(Date.parse(processes[0]?.endedAt ?? '')).toBeLessThanOrEqual(endedBefore);
    expect((await rouse(home, ['logs', id, '--plain'])).stdout).toBe('1\n2\n3\n4\n5\n');
    expect((await rouse(home, ['wait', id])).status).toBe(3);
  },
);
