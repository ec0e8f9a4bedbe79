/** A browser that came in by a link, as far as the host can tell: it has a cookie and a key, and says where it comes from. */
import { randomBytes } from 'node:crypto';
import type { TestHost } from './host.js';

export type SignedIn = {
  /** As it stands in the header of a request. */
  readonly cookie: string;
  readonly key: string;
  /** Both, as they stand in a request of the page. */
  readonly headers: Record<string, string>;
  /** With a body it is a POST. */
  readonly ask: (path: string, body?: object, headers?: Record<string, string>) => Promise<Response>;
};

export const codeOf = (url: string): string => /#sign-in=([\w-]+)$/.exec(url)?.[1] ?? '';

export const newCode = async (host: TestHost): Promise<string> => codeOf((await host.client.signInLink()).url);

export const newKey = (): string => randomBytes(32).toString('base64url');

export const bring = (
  host: TestHost,
  code: string,
  { key = newKey(), ...headers }: Record<string, string> = {},
): Promise<Response> => post(`${host.url}/api/sign-in`, { code, key }, { origin: host.url, ...headers });

export async function signedIn(host: TestHost): Promise<SignedIn> {
  const key = newKey();
  const response = await bring(host, await newCode(host), { key });
  return sameBrowser(host, { cookie: (response.headers.get('set-cookie') ?? '').replace(/;.*/, ''), key });
}

/** The same browser, also at a host that took up the home on another port. */
export function sameBrowser(host: TestHost, { key, ...given }: Pick<SignedIn, 'cookie' | 'key'>): SignedIn {
  const cookie = given.cookie.replace(/^rouse-\d+/, `rouse-${new URL(host.url).port}`);
  const own = { cookie, 'rouse-key': key };
  const ask: SignedIn['ask'] = (path, body, headers = {}) =>
    body === undefined
      ? fetch(`${host.url}${path}`, { headers: { ...own, ...headers } })
      : post(`${host.url}${path}`, body, { ...own, origin: host.url, ...headers });
  return { cookie, key, headers: own, ask };
}

const post = (url: string, body: object, headers: Record<string, string>): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
