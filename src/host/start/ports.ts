import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Place } from '../../ports/place.js';
import { loginEnvironment, toolsOf } from '../../place/local/environment.js';
import { LocalPlace } from '../../place/local/place.js';
import type { Store } from '../../ports/store.js';
import { SqliteStore } from '../../store/sqlite/store.js';
import type { Ground } from './foundation.js';

const LOGIN_MS = 5_000;

/** A test puts its own in front of the real ones, to die or to fail at a chosen call. */
export type Around = { readonly store?: (store: Store) => Store; readonly place?: (place: Place) => Place };

export type Ports = { readonly place: Place; readonly store: Store };

export async function openPorts(ground: Ground, around: Around): Promise<Ports> {
  const { home, clock, opened } = ground;
  const local = localPlace(ground);
  const place = around.place?.(local) ?? local;
  opened.add(() => place.close());
  const sqlite = await SqliteStore.open(join(home.path, 'rouse.db'), clock, {
    used: (await place.folders()).length > 0,
  });
  const store = around.store?.(sqlite) ?? sqlite;
  opened.add(() => store.close());
  return { place, store };
}

/** The login environment is asked for at once and waited for by nobody but the first start. */
function localPlace({ home, configuration, env, isKey, umask, clock, told }: Ground): LocalPlace {
  const loginShell = env['SHELL'] || userInfo().shell || '/bin/sh';
  const login = loginEnvironment(clock, loginShell, env, LOGIN_MS).then(({ env: found, fellBack }) => {
    if (fellBack) told.log.warn({ why: fellBack }, 'login environment not read');
    return Object.fromEntries(Object.entries(found).filter(([name]) => !isKey(name)));
  });
  const tools = toolsOf(env, { shell: configuration.shell, loginShell, umask });
  return new LocalPlace(home.path, tools, login, clock);
}
