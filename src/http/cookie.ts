/** The cookie, one half of the credential of a signed-in browser. All ports of an address share their cookies, so its name holds ours. */
import { DAY_MS, SIGNED_IN_DAYS } from '../domain/people/sign-in.js';

const nameOf = (port: number): string => `rouse-${port}`;

export const cookie = (port: number, secret: string, secure: boolean): string =>
  written(port, secret, (SIGNED_IN_DAYS * DAY_MS) / 1_000, secure);

export const noCookie = (port: number): string => written(port, '', 0, false);

const written = (port: number, value: string, seconds: number, secure: boolean): string =>
  `${nameOf(port)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;

/** What the browser brought, if it brought ours. */
export function secretIn(header: string | undefined, port: number): string | undefined {
  const beginning = `${nameOf(port)}=`;
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(beginning))?.slice(beginning.length);
}
