import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diagnose } from '../../src/host/doctor/doctor.js';
import { newHome, startHost } from '../support/host.js';

/** As an earlier version stored them, or a disk spoilt them. */
const DAMAGE: readonly [string, string, boolean][] = [
  ['an output of more bytes than a number can count', 'output_bytes = 9223372036854775807', true],
  [
    'an end in a far future',
    `ended_at = 9223372036854775807, lifecycle = replace(lifecycle, '"endedAt":', '"endedAt":9')`,
    true,
  ],
  [
    'an end before all time',
    `ended_at = -9223372036854775807, lifecycle = replace(lifecycle, '"endedAt":', '"endedAt":-99999')`,
    true,
  ],
  ['a hole that is larger than the world', 'released_to = 9223372036854775807', true],
  ['a lifecycle that is no JSON', `lifecycle = '{"kind":'`, false],
  ['a lifecycle of a kind that is not known', `lifecycle = '{"kind":"asleep"}'`, false],
  ['patterns that are no JSON', `watch_patterns = 'x'`, false],
  ['a session that is none', `session = 'nobody'`, false],
];

test.each(DAMAGE)(
  'R9 a row with %s hides no other, stops no host, and is found by the doctor',
  async (_, change, shown) => {
    const home = newHome({ retention: { days: 7, count: 1_000 } });
    let host = await startHost({ home });
    const run = async (command: string) => {
      const { id } = (await host.client.start({ command, cwd: '/' })).process;
      await host.client.wait(id, 30_000);
      return id;
    };
    const [bad, good] = [await run('echo bad'), await run('echo good; exit 3')];
    const { id: running } = (await host.client.start({ command: 'cat', cwd: '/' })).process;
    await host.stop();
    const db = new DatabaseSync(join(home, 'rouse.db'));
    db.exec(`update processes set ${change} where id = '${bad}'`);
    db.close();
    const store = (await diagnose({ ...process.env, ROUSE_HOME: home })).find(({ check }) => check === 'store');
    expect(store).toMatchObject({ verdict: 'fail', says: expect.stringContaining(bad) as string });
    host = await startHost({ home });
    const listed = (await host.client.list()).map(({ id }) => id);
    expect(listed.toSorted()).toEqual([...(shown ? [bad] : []), good, running].toSorted());
    expect((await host.client.process(good)).process.end).toEqual({ kind: 'exited', code: 3 });
    await host.client.closeInput(running);
    expect((await host.client.wait(running, 30_000)).process.end).toEqual({ kind: 'exited', code: 0 });
    expect(host.log()).toContain(bad);
  },
);
