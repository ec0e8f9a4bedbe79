import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cleanUp } from '../support/clean-up.js';
import { newHome, startHost, type TestHost } from '../support/host.js';
import { atEveryFault, bootUntilFault, untilFault } from '../support/until-fault.js';

type Scenario = {
  readonly command: string;
  readonly more?: object;
  readonly act: (host: TestHost, id: string) => Promise<unknown>;
};

const scenarios: Record<string, Scenario> = {
  'a start and an end': { command: 'exit 3', act: (host, id) => host.client.wait(id, 10_000) },
  'a start and an end in a terminal': {
    command: 'exit 3',
    more: { pty: true },
    act: (host, id) => host.client.wait(id, 10_000),
  },
  'a kill': { command: 'trap "exit 3" TERM; while :; do sleep 0.01; done', act: (host, id) => host.client.kill(id) },
  'a kill with force': { command: 'trap "" TERM; sleep 60; sleep 60', act: (host, id) => host.client.kill(id) },
  'a release of output': { command: 'seq 1 100000; exit 3', act: (host, id) => host.client.wait(id, 10_000) },
  'a close of the input': {
    command: 'cat; exit 3',
    act: async (host, id) => {
      await host.client.closeInput(id);
      await host.client.wait(id, 10_000);
    },
  },
};

const config = { kill: { graceMs: 100 }, output: { quotaBytes: 65_536 } };

const stampOf = (home: string, name: string) => join(home, `stamp-${name}`);

/** What must hold after a fresh host has taken over, wherever the last one died while it played this. */
async function expectWhole(host: TestHost, name: string): Promise<void> {
  const known = await host.client.list({ limit: 5_000 });
  const rows = known.filter((process) => process.name === name);
  const stamp = stampOf(host.home, name);
  const stamps = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  expect(['', 'started\n']).toContain(stamps);
  expect(rows.length).toBeLessThanOrEqual(1);
  // Nothing runs or has run without a record.
  if (stamps !== '') expect(rows).toHaveLength(1);
  const ids: readonly string[] = known.map(({ id }) => id);
  expect(readdirSync(join(host.home, 'processes')).filter((folder) => !ids.includes(folder))).toEqual([]);
  for (const { id } of rows) {
    const { process } =
      (await host.client.process(id)).process.state === 'ended'
        ? await host.client.process(id)
        : await host.client.kill(id);
    expect(process.state).toBe('ended');
    if (stamps === '') expect(process.end).toMatchObject({ kind: expect.stringMatching(/lost|signalled/) });
    else expect(['exited', 'signalled']).toContain(process.end?.kind);
  }
  const again = await host.client.start({ command: 'exit 4' });
  expect((await host.client.wait(again.process.id, 10_000)).process.end).toEqual({ kind: 'exited', code: 4 });
}

describe('1 P15 the host killed with -9 at every durable step', () => {
  test('of its first boot leaves a home in which the next one works', async () => {
    const points = await atEveryFault(async (fault) => {
      const home = newHome(config);
      const outcome = await bootUntilFault(home, fault, () => Promise.resolve());
      await expectWhole(await startHost({ home }), 'nothing');
      await cleanUp();
      return outcome;
    });
    expect(points).toBeGreaterThanOrEqual(2);
  });

  test.each(Object.keys(scenarios))(
    'of %s leaves no orphan, no ghost and no second start',
    { timeout: 300_000 },
    async (scenario) => {
      const { command, more, act } = scenarios[scenario] as Scenario;
      // Each host sees to what the one before it has left, and is the next to die: a boot is what costs the time here.
      let host = await startHost({ config, fault: 'later' });
      const points = await atEveryFault(async (fault) => {
        const name = `it-${fault}`;
        const stamp = `echo started >> ${stampOf(host.home, name)}; `;
        const outcome = await untilFault(host, fault, async (mortal) => {
          const { process } = await mortal.client.start({ command: stamp + command, name, ...more });
          await act(mortal, process.id);
        });
        host = await host.again({ fault: 'later' });
        await expectWhole(host, name);
        return outcome;
      });
      // Remembered, prepared, launched, ended: before and after each. That it was seen running may be skipped.
      expect(points).toBeGreaterThanOrEqual(8);
    },
  );
});
