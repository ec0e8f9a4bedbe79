/** Finding the host of a home, and speaking to nobody else. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { HostUnreachable, RouseClient } from '../../client/client.js';
import { isListening, readNote } from '../../host-note.js';
import type { Caller } from '../caller.js';
import { errno } from '../../errno.js';

/** No host runs for this home. */
export class NoHost extends Error {
  override readonly name = 'NoHost';
}

/** A host that is alive and takes longer than this to say that it is well is as good as none. */
const ANSWER_MS = 5_000;

type Surroundings = Pick<Caller, 'env'>;

export const homeOf = ({ env }: Surroundings): string => resolve(env['ROUSE_HOME'] || join(homedir(), '.rouse'));

/** The home as a person writes it. */
export const shownHome = (caller: Surroundings): string =>
  homeOf(caller).replace(new RegExp(`^${homedir()}(?=/)`), '~');

/** A client for the host that says it runs; whether it answers is seen when it is asked. */
export function clientOf(caller: Surroundings): RouseClient {
  const note = readNote(homeOf(caller));
  const token = tokenOf(caller);
  if (!note || !token || !isListening(note))
    throw new NoHost(`No host runs for ${shownHome(caller)}. Start one: rouse serve`);
  return new RouseClient(reachable(note.url), token, { process: caller.env['ROUSE_PROCESS'] });
}

/** A client for a host that has just answered. */
export async function answeringHost(caller: Surroundings): Promise<RouseClient | undefined> {
  try {
    const client = clientOf(caller);
    return (await client.health(AbortSignal.timeout(ANSWER_MS))).status === 'ok' ? client : undefined;
  } catch (error) {
    if (error instanceof NoHost || error instanceof HostUnreachable) return undefined;
    if (error instanceof Error && error.name === 'TimeoutError') return undefined;
    throw error;
  }
}

function tokenOf(caller: Surroundings): string | undefined {
  const given = caller.env['ROUSE_TOKEN'];
  if (given) return given;
  try {
    return readFileSync(join(homeOf(caller), 'token'), 'utf8').trim();
  } catch (error) {
    if (errno(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A host that listens on every address is reached on this machine by loopback, which is what it answers to. */
const reachable = (url: string): string => url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
