/** A browser that came in by a link, as far as the host can tell: it has a cookie and says where it comes from. */
import type { TestHost } from './host.js';

export type SignedIn = {
  /** As it stands in the header of a request. */
  readonly cookie: string;
  /** With a body it is a POST. */
  readonly ask: (path: string, body?: object, headers?: Record<string, string>) => Promise<Response>;
};

export const codeOf = (url: string): string => /#sign-in=([\w-]+)$/.exec(url)?.[1] ?? '';

export const newCode = async (host: TestHost): Promise<string> => codeOf((await host.client.signInLink()).url);

export const bring = (host: TestHost, code: string, headers: Record<string, string> = {}): Promise<Response> =>
  post(`${host.url}/api/sign-in`, { code }, { origin: host.url, ...headers });

export async function signedIn(host: TestHost): Promise<SignedIn> {
  const response = await bring(host, await newCode(host));
  return withCookie(host, (response.headers.get('set-cookie') ?? '').replace(/;.*/, ''));
}

/** The same browser, also at a host that took up the home on another port. */
export function withCookie(host: TestHost, given: string): SignedIn {
  const cookie = given.replace(/^rouse-\d+/, `rouse-${new URL(host.url).port}`);
  const ask: SignedIn['ask'] = (path, body, headers = {}) =>
    body === undefined
      ? fetch(`${host.url}${path}`, { headers: { cookie, ...headers } })
      : post(`${host.url}${path}`, body, { cookie, origin: host.url, ...headers });
  return { cookie, ask };
}

const post = (url: string, body: object, headers: Record<string, string>): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
