/**
 * A host for those who need one and do not want to look after it. Any number may try at once: the lock of the home
 * lets one host win, and everybody uses that one.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isCut, type RouseClient } from '../../client/client.js';
import type { Caller } from '../caller.js';
import { answeringHost, clientOf, homeOf, NoHost, shownHome } from './host.js';
import { HOME_TAKEN } from './serve.js';

const LOOK_MS = 20;
const PATIENCE_MS = 20_000;
/** How long the holder of the home may take to answer before we try again to become it ourselves. */
const HOLDER_MS = 1_000;
const SHOWN_LINES = 5;

export class HostDidNotStart extends Error {
  override readonly name = 'HostDidNotStart';
}

export async function ensureHost(caller: Caller): Promise<RouseClient> {
  const running = await answeringHost(caller);
  if (running) return running;
  const givingUpAt = performance.now() + PATIENCE_MS;
  while (performance.now() < givingUpAt) {
    const host = launch(caller);
    const client = await answers(caller, givingUpAt, () => host.child.exitCode !== null);
    if (client) return client;
    if (host.child.exitCode !== HOME_TAKEN) throw didNotStart(caller, host.told());
    const other = await answers(caller, performance.now() + HOLDER_MS, () => false);
    if (other) return other;
  }
  throw didNotStart(caller, 'Another host holds the home and does not answer.');
}

/**
 * A host for looking at what there is. Where one has been, it is brought back: its processes went on without it. Where
 * none ever was there is nothing to see, and `NoHost` says how to start one.
 */
export async function hostOf(caller: Caller): Promise<RouseClient> {
  try {
    return clientOf(caller);
  } catch (error) {
    if (error instanceof NoHost && existsSync(join(homeOf(caller), 'rouse.db'))) return ensureHost(caller);
    throw error;
  }
}

/**
 * Asks the host that runs, and the next one when it goes away meanwhile. Only for what may be asked for twice: nobody
 * knows whether a host that went away had taken it.
 */
export async function onAnyHost<Answer>(
  caller: Caller,
  ask: (client: RouseClient, again: boolean) => Promise<Answer>,
): Promise<Answer> {
  let client = await hostOf(caller);
  for (let again = false; ; again = true)
    try {
      return await ask(client, again);
    } catch (error) {
      if (!isCut(error)) throw error;
      client = await ensureHost(caller);
    }
}

type Launched = { readonly child: ChildProcess; readonly told: () => string };

function launch(caller: Caller): Launched {
  const home = homeOf(caller);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const path = join(home, 'host.log');
  const log = openSync(path, 'a', 0o600);
  chmodSync(path, 0o600);
  const before = statSync(path).size;
  const child = spawn(process.execPath, [caller.script, 'serve', '--any-port'], {
    cwd: '/',
    env: { ...caller.env, ROUSE_HOME: home },
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  return { child, told: () => readFileSync(path).subarray(before).toString('utf8') };
}

async function answers(caller: Caller, until: number, over: () => boolean): Promise<RouseClient | undefined> {
  while (performance.now() < until) {
    const ended = over();
    const client = await answeringHost(caller);
    if (client || ended) return client;
    await sleep(LOOK_MS);
  }
  return undefined;
}

function didNotStart(caller: Caller, told: string): HostDidNotStart {
  const lines = told.trim().split('\n').slice(-SHOWN_LINES);
  return new HostDidNotStart(
    `No host could be started for ${shownHome(caller)}. Its last words, from ${shownHome(caller)}/host.log:\n${lines.map((line) => `  ${line}`).join('\n')}`,
  );
}
