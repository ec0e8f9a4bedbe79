/** One request to an address outside. What a name stands for is checked when the connection is made, not before. */
import { lookup as resolve } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isForbidden, isForbiddenName, type Allowance } from './public-address.js';

export type Posted = { readonly status: number; readonly retryAfter: string | undefined };

export type Letter = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
  readonly signal: AbortSignal;
};

/** Follows no redirect: what is meant for one address is not sent to another. */
export function post({ url, headers, body, signal }: Letter, allowance: Allowance): Promise<Posted> {
  return new Promise((resolve, reject) => {
    // An address in figures is never looked up, so nothing but this stands before the connection.
    if (isForbiddenName(url.hostname, allowance)) throw new Inside(`${url.hostname} lies inside this network`);
    const request = url.protocol === 'http:' ? httpRequest : httpsRequest;
    const answered = (response: IncomingMessage): void => {
      // Nobody reads what it says beside the status.
      response.on('error', reject).destroy();
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
    };
    request(url, { method: 'POST', headers, signal, lookup: lookupOutside(allowance), agent: false }, answered)
      .on('error', reject)
      .end(body);
  });
}

const lookupOutside =
  (allowance: Allowance): LookupFunction =>
  (hostname, options, found) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const outside = error ? [] : addresses.filter(({ address }) => !isForbidden(address, allowance));
      const [first] = outside;
      if (error || !first) found(error ?? new Inside(`${hostname} lies inside this network`), '', 0);
      else if (options.all) found(null, outside);
      else found(null, first.address, first.family);
    });

export class Inside extends Error {
  override readonly name = 'Inside';
}
