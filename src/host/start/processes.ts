/** The place, the store, the processes in them, and the notices that they owe. */
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { NoticeId, ProcessId } from '../../contract/ids.js';
import { WebhookCourier } from '../../courier/webhook.js';
import { modelBlock } from '../../domain/notice/notice-block.js';
import { loginEnvironment, toolsOf } from '../../place/local/environment.js';
import { LocalPlace } from '../../place/local/place.js';
import type { Place } from '../../ports/place.js';
import type { NoticeRecord, Numbered, SessionRecord, Store } from '../../ports/store.js';
import { News } from '../../runtime/listeners.js';
import { Delivery } from '../../runtime/notice/delivery.js';
import { noticeView } from '../../runtime/notice/notice-view.js';
import { Notices } from '../../runtime/notice/notices.js';
import { Supervisor, type SupervisorSettings } from '../../runtime/process/supervisor.js';
import { Upkeep } from '../../runtime/process/upkeep.js';
import { SqliteStore } from '../../store/sqlite/store.js';
import { version } from '../../version.js';
import type { Configuration } from '../configuration.js';
import { newId, type Foundation } from './foundation.js';

const LOGIN_MS = 5_000;
const LAUNCH_MS = 10_000;

/** A test puts its own in front of the real ones, to die or to fail at a chosen call. */
export type Around = { readonly store?: (store: Store) => Store; readonly place?: (place: Place) => Place };

export type Ports = { readonly place: Place; readonly store: Store };

export async function openPorts(foundation: Foundation, around: Around): Promise<Ports> {
  const { home, clock, opened } = foundation;
  const local = localPlace(foundation);
  const place = around.place?.(local) ?? local;
  opened.add(() => place.close());
  const sqlite = await SqliteStore.open(join(home.path, 'rouse.db'), clock, {
    used: (await place.folders()).length > 0,
  });
  const store = around.store?.(sqlite) ?? sqlite;
  opened.add(() => store.close());
  return { place, store };
}

/** The login environment is read at once, but only the first start waits for it. */
function localPlace({ home, configuration, env, isKey, umask, clock, telemetry }: Foundation): LocalPlace {
  const loginShell = env['SHELL'] || userInfo().shell || '/bin/sh';
  const login = loginEnvironment(clock, loginShell, env, LOGIN_MS).then(({ env: found, fellBack }) => {
    if (fellBack) telemetry.log.warn({ why: fellBack }, 'login environment not read');
    return Object.fromEntries(Object.entries(found).filter(([name]) => !isKey(name)));
  });
  const tools = toolsOf(env, { shell: configuration.shell, loginShell, umask });
  return new LocalPlace(home.path, tools, login, clock);
}

/** What the first stages have started. */
export type Processes = {
  readonly store: Store;
  readonly news: News;
  readonly notices: Notices;
  readonly supervisor: Supervisor;
  readonly upkeep: Upkeep;
};

export async function startProcesses(
  { configuration, clock, secrets, telemetry, opened }: Foundation,
  { place, store }: Ports,
): Promise<Processes> {
  const { tell } = telemetry;
  const news = new News();
  const notices = new Notices({ store, clock, newId: newId(NoticeId, 'ntc_'), news, tell });
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
  telemetry.watchRunning(() => supervisor.unfinished.length);
  await supervisor.recover();
  const upkeep = new Upkeep({ supervisor, store, clock, retention: configuration.retention, tell });
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

export async function deliverNotices(
  { configuration, clock, telemetry, opened }: Foundation,
  { store, notices, news }: Processes,
): Promise<void> {
  const figures = configuration.delivery;
  const courier = new WebhookCourier(clock, figures.timeoutMs, `rouse/${version}`);
  const body = async (notice: Numbered<NoticeRecord>, session: SessionRecord) => {
    const process = notice.process && (await store.processes.get(notice.process));
    const view = noticeView(notice, session, process);
    return { notice: view, text: modelBlock([view]) };
  };
  const delivery = new Delivery({ store, notices, courier, news, clock, figures, bodyOf: body, tell: telemetry.tell });
  await delivery.start();
  opened.add(() => delivery.stop());
}
