/** What running processes use: each place is asked once for all that run there. */
import type { ProcessUsage } from '../../contract/process.js';
import type { Supervisor } from './supervisor.js';

export async function usageOfRunning({ unfinished, places }: Supervisor): Promise<readonly ProcessUsage[]> {
  const running = unfinished.flatMap(({ id, place, lifecycle }) =>
    lifecycle.kind === 'running' ? [{ id, place, owned: lifecycle.owned }] : [],
  );
  const used = await Promise.all(
    places.all.map(async (place) => place.usage(running.filter((process) => process.place === place.name))),
  );
  return used.flatMap((of) => [...(of ?? [])].map(([process, usage]) => ({ process, ...usage })));
}
