/**
 * A thousand watched processes that print the pattern and exit at once. Half of them end around a kill -9 of the host:
 * some under the first host, some while there is none, some under the next. Each makes exactly one notice.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { NoticeView } from '../../src/contract/notice.js';
import { startHost, type TestHost } from '../support/host.js';
import { until } from '../support/until.js';

const AT_ONCE = 500;
const ROUNDS = 2;
const PER_ROUND = 250;
/** So many starts are asked for at the same time. */
const STARTS = 32;

async function start(host: TestHost, session: string, count: number, command: string): Promise<readonly string[]> {
  const ids: string[] = [];
  let left = count;
  const one = async (): Promise<void> => {
    while (left-- > 0) ids.push((await host.client.start({ session, command, watchPatterns: ['READY'] })).process.id);
  };
  await Promise.all(Array.from({ length: STARTS }, one));
  return ids;
}

const matchesIn = async (host: TestHost, session: string): Promise<readonly NoticeView[]> =>
  (await host.client.notices({ session, limit: 5_000 })).filter(({ kind }) => kind === 'watch_match');

/** Those that wait to read from it all go on when somebody opens it for writing. */
function gateAt(path: string): { readonly command: string; readonly open: () => void } {
  execFileSync('mkfifo', [path]);
  const open = () => closeSync(openSync(path, constants.O_WRONLY));
  return { command: `read x < ${path}; echo READY; exit 1`, open };
}

test(
  'W6 P12 a thousand that print the pattern and exit at once: a thousand notices',
  { timeout: 600_000 },
  async () => {
    const limits = { processes: AT_ONCE + PER_ROUND, processesPerSession: AT_ONCE + PER_ROUND };
    let host = await startHost({ config: { limits } });
    const { session } = await host.client.createSession({ agent: 'none', title: 'Builds' });
    const ids = [...(await start(host, session.id, AT_ONCE, 'echo READY; exit 1'))];
    for (let round = 0; round < ROUNDS; round++) {
      const gate = gateAt(join(host.home, `gate-${round}`));
      const waiting = await start(host, session.id, PER_ROUND, gate.command);
      ids.push(...waiting);
      const before = (await matchesIn(host, session.id)).length;
      gate.open();
      await until('the first are reported', async () => (await matchesIn(host, session.id)).length > before);
      await host.kill();
      host = await host.again();
    }
    for (const id of ids) expect((await host.client.wait(id, 60_000)).outcome).toBe('ended');
    const matches = await matchesIn(host, session.id);
    expect(matches.map(({ process }) => process ?? '').toSorted()).toEqual(ids.toSorted());
    expect(new Set(matches.map(({ id }) => id)).size).toBe(AT_ONCE + ROUNDS * PER_ROUND);
    const ends = matches.flatMap(({ cause }) => (cause.kind === 'watch_match' ? [cause.end] : []));
    expect(ends).toEqual(ids.map(() => ({ kind: 'exited', code: 1 })));
  },
);
