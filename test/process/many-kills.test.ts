import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHost } from '../support/host.js';
import { until } from '../support/until.js';

const KILLS = 100;

test('P7 the passes over /proc do not grow with the number of kills at once', async () => {
  const limits = { processes: KILLS, processesPerSession: KILLS, waitingInputs: 16 };
  const host = await startHost({ config: { limits } });
  const ids: string[] = [];
  for (let count = 0; count < KILLS; count++) ids.push((await host.client.start({ command: 'sleep 600' })).process.id);
  const trace = join(host.home, 'trace');
  const tracer = spawn('strace', ['-f', '-qq', '-e', 'trace=openat', '-o', trace, '-p', String(host.pid)]);
  await until('strace is attached', () =>
    /^TracerPid:\s+[1-9]/m.test(readFileSync(`/proc/${host.pid}/status`, 'utf8')),
  );
  const answers = await Promise.all(ids.map((id) => host.client.kill(id)));
  tracer.kill('SIGINT');
  await new Promise((gone) => tracer.once('exit', gone));
  expect(answers.filter(({ outcome }) => outcome !== 'ended')).toEqual([]);
  const passes = readFileSync(trace, 'latin1').match(/openat\(AT_FDCWD, "\/proc", /g) ?? [];
  expect(passes.length).toBeGreaterThan(0);
  expect(passes.length).toBeLessThan(KILLS);
});
