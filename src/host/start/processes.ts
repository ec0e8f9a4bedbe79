import type { Configuration } from '../configuration.js';
import { NoticeId, ProcessId } from '../../contract/ids.js';
import { News } from '../../runtime/listeners.js';
import { Notices } from '../../runtime/notice/notices.js';
import { Supervisor, type SupervisorSettings } from '../../runtime/process/supervisor.js';
import { Upkeep } from '../../runtime/process/upkeep.js';
import type { Store } from '../../ports/store.js';
import { newId } from './new-id.js';
import type { Ground } from './foundation.js';
import type { Ports } from './ports.js';

const LAUNCH_MS = 10_000;

/** Processes, and what they owe to whom; those of before are taken up again. */
export type Keeping = {
  readonly store: Store;
  readonly news: News;
  readonly notices: Notices;
  readonly supervisor: Supervisor;
  readonly upkeep: Upkeep;
};

export async function keepProcesses(
  { configuration, clock, secrets, told, opened }: Ground,
  { place, store }: Ports,
): Promise<Keeping> {
  const { tell } = told;
  const news = new News();
  const notices = new Notices(store, clock, newId(NoticeId, 'ntc_'), news, tell);
  const supervisor = new Supervisor({
    store,
    places: [place],
    notices,
    redactor: secrets,
    clock,
    tell,
    newId: newId(ProcessId, 'proc_'),
    settings: settingsOf(configuration),
  });
  opened.add(() => supervisor.stop());
  told.watchRunning(() => supervisor.unfinished.length);
  await supervisor.recover();
  const upkeep = new Upkeep(supervisor, store, clock, configuration.retention, tell);
  await upkeep.forget().catch((error: unknown) => tell({ kind: 'fault', during: 'forgetting ended processes', error }));
  upkeep.start();
  opened.add(() => upkeep.stop());
  return { store, news, notices, supervisor, upkeep };
}

const settingsOf = ({ limits, output, kill, notices, watch, breaker }: Configuration): SupervisorSettings => ({
  ...limits,
  quotaBytes: output.quotaBytes,
  graceMs: kill.graceMs,
  launchMs: LAUNCH_MS,
  tail: { lines: notices.tailLines, characters: notices.tailCharacters },
  watching: { watch, breaker },
});
