/**
 * A host in the background, started by a command that needs one. Any number may try at once: the lock of the home lets
 * one host win, and all commands use that one.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isCut, type RouseClient } from '../../client/client.js';
import type { Caller } from '../caller.js';
import { answeringHost, clientOf, homeOf, NoHost, shownHome } from './find-host.js';

/** The status with `--any-port` when another host holds the home: our starter then uses that one. */
export const HOME_TAKEN = 75;

const LOOK_MS = 20;
const PATIENCE_MS = 20_000;
/** How long the holder of the home may take to answer before we try to take its place again. */
const HOLDER_MS = 1_000;
const SHOWN_LINES = 5;

export async function ensureHost(caller: Caller): Promise<RouseClient> {
  const running = await answeringHost(caller);
  if (running) return running;
  const givingUpAt = performance.now() + PATIENCE_MS;
  while (performance.now() < givingUpAt) {
    const host = launch(caller);
    const client = await answers(caller, givingUpAt, () => host.child.exitCode !== null);
    if (client) return client;
    if (host.child.exitCode !== HOME_TAKEN) throw didNotStart(caller, host.log());
    const other = await answers(caller, performance.now() + HOLDER_MS, () => false);
    if (other) return other;
  }
  throw didNotStart(caller, 'Another host holds the home and does not answer.');
}

/**
 * A host for looking at what there is. One that ran before is started again: its processes kept running without it. A
 * home without one has nothing to show, and `NoHost` says how to start one.
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
 * Asks the host that runs, and starts another when it goes away meanwhile. Only for requests that may be made twice: it
 * is unknown whether a host that went away took them.
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

type Launched = { readonly child: ChildProcess; readonly log: () => string };

function launch(caller: Caller): Launched {
  const home = homeOf(caller);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const path = join(home, 'host.log');
  const file = openSync(path, 'a', 0o600);
  chmodSync(path, 0o600);
  const before = statSync(path).size;
  const child = spawn(process.execPath, [caller.script, 'serve', '--any-port'], {
    cwd: '/',
    env: { ...caller.env, ROUSE_HOME: home },
    detached: true,
    stdio: ['ignore', file, file],
  });
  closeSync(file);
  child.unref();
  return { child, log: () => readFileSync(path).subarray(before).toString('utf8') };
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

function didNotStart(caller: Caller, log: string): Error {
  const lines = log.trim().split('\n').slice(-SHOWN_LINES);
  return new Error(
    `Could not start a host for ${shownHome(caller)}. The end of ${shownHome(caller)}/host.log:\n${lines.map((line) => `  ${line}`).join('\n')}`,
  );
}
