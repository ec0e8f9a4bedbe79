/** A host that dies with SIGKILL at a chosen fault point (see host-program.mjs), and the walk over all of them. */
import { exited, isGone, noteOf, spawnHost, TestHost } from './host.js';
import { until } from './until.js';

export type Outcome = 'died' | 'survived';

/** Boots a host over this home that dies at its nth fault point, and works with it. It is dead when this is over. */
export async function bootUntilFault(
  home: string,
  fault: number,
  work: (host: TestHost) => Promise<unknown>,
): Promise<Outcome> {
  const { child, log } = spawnHost({ home, fault });
  const url = await until('it serves, or is gone', () => (isGone(child) ? 'gone' : noteOf(home)?.url));
  if (url === 'gone' && child.signalCode !== 'SIGKILL') throw new Error(`The host ended by itself:\n${log()}`);
  return url === 'gone' ? 'died' : workUntilDead(new TestHost(home, child, url, log), work);
}

/** Works with a host that dies at the nth fault point from now. It is dead when this is over. */
export function untilFault(
  host: TestHost,
  fault: number,
  work: (host: TestHost) => Promise<unknown>,
): Promise<Outcome> {
  host.dieAt(fault);
  return workUntilDead(host, work);
}

async function workUntilDead(host: TestHost, work: (host: TestHost) => Promise<unknown>): Promise<Outcome> {
  const done = work(host).then(
    () => 'survived' as const,
    (error: unknown) => cutOff(host, error),
  );
  const outcome = await Promise.race([exited(host.child).then(() => 'died' as const), done]);
  await host.kill();
  return outcome;
}

/** The line was cut because the host has died, or is about to; anything else is a failure. */
async function cutOff(host: TestHost, error: unknown): Promise<'died'> {
  await until('the host has died', () => host.gone, 20_000).catch(() => {
    throw error;
  });
  return 'died';
}

/** The first fault point, the second … until none is hit any more. Answers how many were. */
export async function atEveryFault(once: (fault: number) => Promise<Outcome>): Promise<number> {
  for (let fault = 1; ; fault++) if ((await once(fault)) === 'survived') return fault - 1;
}
