/** Finding the host of a home, and speaking to nothing else. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { HostUnreachable, RouseClient, RouseProblem, type Address, type Cut } from '../../client/client.js';
import { errno } from '../../errno.js';
import { isListening, readNote } from '../../host-note.js';
import { say, type Caller } from '../caller.js';

/** No host runs for this home. */
export class NoHost extends HostUnreachable {}

/** A host that takes longer than this to report its health counts as none. */
const ANSWER_MS = 5_000;
/** The host is on this machine: looking for it often costs nothing. */
const LONGEST_PAUSE_MS = 2_000;

export const homeOf = ({ env }: Pick<Caller, 'env'>): string => resolve(env['ROUSE_HOME'] || join(homedir(), '.rouse'));

/** The home as a person writes it. */
export const shownHome = (caller: Pick<Caller, 'env'>): string =>
  homeOf(caller).replace(new RegExp(`^${homedir()}(?=/)`), '~');

/** A client for the host that `host.json` names, and after a cut for the one that it names then. Throws `NoHost`. */
export function clientOf(
  caller: Pick<Caller, 'env' | 'stderr'>,
  tell = (sentence: string) => say(caller, sentence),
): RouseClient {
  const locate = (): Address => addressOf(caller);
  const { url, token } = locate();
  // A first failure may be a connection that was cut while the host is well.
  const onCut = ({ attempt }: Cut): void => void (attempt === 2 && tell('Waiting for the host to come back …'));
  return new RouseClient(url, token, {
    process: caller.env['ROUSE_PROCESS'],
    locate,
    onCut,
    longestPauseMs: LONGEST_PAUSE_MS,
  });
}

/** A client for a host that has just answered. */
export async function answeringHost(caller: Pick<Caller, 'env' | 'stderr'>): Promise<RouseClient | undefined> {
  try {
    const client = clientOf(caller);
    return (await client.health(AbortSignal.timeout(ANSWER_MS))).status === 'ok' ? client : undefined;
  } catch (error) {
    if (error instanceof HostUnreachable || (error instanceof Error && error.name === 'TimeoutError')) return undefined;
    throw error;
  }
}

/** No host took the request, so that sending it again does not send it twice. */
export const neverArrived = (error: unknown): boolean =>
  error instanceof NoHost ||
  (error instanceof RouseProblem && error.word === 'stopping') ||
  (error instanceof HostUnreachable && errno(causeOf(error.cause)) === 'ECONNREFUSED');

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

function addressOf(caller: Pick<Caller, 'env'>): Address {
  const note = readNote(homeOf(caller));
  const token = tokenOf(caller);
  if (!note || !token || !isListening(note))
    throw new NoHost(`No host is running for ${shownHome(caller)}. Start one: rouse serve`);
  return { url: reachable(note.url), token };
}

function tokenOf(caller: Pick<Caller, 'env'>): string | undefined {
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
