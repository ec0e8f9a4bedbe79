/**
 * Web Push: the alert is encrypted for the browser's eyes (RFC 8291), signed by who we are (VAPID, RFC 8292), and left
 * with the browser's push service (RFC 8030), which can read none of it.
 */
import { createHash, ECDH, generateKeyPairSync } from 'node:crypto';
import { lookup as resolveName } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { deadline, type Clock } from '../ports/clock.js';
import { refuse, type Refusal } from '../contract/refusal.js';
import type { Alert } from '../contract/alert.js';
import type { Push, PushFate, PushKeys, Subscription } from '../ports/push.js';
import { isForbidden, isForbiddenName, type Allowance } from './public-address.js';

export type WebPushSettings = {
  readonly timeoutMs: number;
  /** Who answers for this host to a push service: an address of the kind `mailto:` or `https:`. */
  readonly contact: string;
  readonly allowLoopback: boolean;
};

/** How long a push service keeps an alert for a browser that is off. */
const KEPT_SECONDS = 86_400;
const POINT_BYTES = 65;
const AUTH_BYTES = 16;

export class WebPush implements Push {
  constructor(
    readonly clock: Clock,
    readonly settings: WebPushSettings,
  ) {}

  newKeys(): PushKeys {
    const {
      x = '',
      y = '',
      d = '',
    } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
      format: 'jwk',
    });
    const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
    return { publicKey: point.toString('base64url'), privateKey: d };
  }

  check({ endpoint, keys }: Subscription): Refusal | undefined {
    const url = URL.parse(endpoint);
    if (!url || url.username || url.password) return refuse('invalid', 'The endpoint is no address.');
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && this.settings.allowLoopback))
      return refuse('invalid', 'A push service is reached by https.');
    if (isForbiddenName(url.hostname, this.settings))
      return refuse(
        'invalid',
        'The endpoint is inside this network, but a push service must be on the public internet.',
      );
    return isPoint(keys.p256dh) && Buffer.from(keys.auth, 'base64url').length === AUTH_BYTES
      ? undefined
      : refuse('invalid', 'The keys of the subscription cannot be used.');
  }

  async send(keys: PushKeys, subscription: Subscription, alert: Alert, signal: AbortSignal): Promise<PushFate> {
    using limit = deadline(this.clock, this.settings.timeoutMs, signal);
    try {
      const letter = await this.#letter(keys, subscription, alert);
      return fateOf(await post({ ...letter, signal: limit.signal }, this.settings));
    } catch (error) {
      if (error instanceof Inside) return { kind: 'refused', why: error.message };
      const why = limit.isOver ? `no answer within ${this.settings.timeoutMs} ms` : String(error);
      return { kind: 'later', why };
    }
  }

  async #letter(vapid: PushKeys, subscription: Subscription, { title, body: text, tag, url }: Alert) {
    // Loaded with the first alert: most hosts never need it.
    const { default: library } = await import('web-push');
    const { endpoint, headers, body } = library.generateRequestDetails(
      subscription,
      JSON.stringify({ title, body: text, tag, url }),
      {
        vapidDetails: { subject: this.settings.contact, ...vapid },
        contentEncoding: 'aes128gcm',
        TTL: KEPT_SECONDS,
        urgency: 'high',
        topic: topicOf(tag),
      },
    );
    return { url: new URL(endpoint), headers: headers as Record<string, string>, body: body };
  }
}

/** An alert that waits at the push service is replaced by the same one, not joined by it. */
const topicOf = (tag: string): string => createHash('sha256').update(tag).digest('base64url').slice(0, 32);

function isPoint(p256dh: string): boolean {
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== POINT_BYTES) return false;
  try {
    ECDH.convertKey(point, 'prime256v1');
    return true;
  } catch {
    // ERR_CRYPTO_INVALID_…: no point of this curve.
    return false;
  }
}

function fateOf({ status, retryAfter }: Posted): PushFate {
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const why = `it answered ${status}`;
  if (status !== 429 && status < 500) return { kind: 'refused', why };
  const seconds = Number(retryAfter);
  return { kind: 'later', why, ...(seconds > 0 && { afterMs: seconds * 1_000 }) };
}

type Posted = { readonly status: number; readonly retryAfter: string | undefined };

type Letter = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
  readonly signal: AbortSignal;
};

/**
 * Follows no redirect: what is meant for one address is not sent to another. A name is checked when the connection is
 * made and its address is known, not before.
 */
function post({ url, headers, body, signal }: Letter, allowance: Allowance): Promise<Posted> {
  return new Promise((resolve, reject) => {
    // An address in figures is never looked up, so nothing but this stands before the connection.
    if (isForbiddenName(url.hostname, allowance)) throw new Inside(`${url.hostname} lies inside this network`);
    const request = url.protocol === 'http:' ? httpRequest : httpsRequest;
    const answered = (response: IncomingMessage): void => {
      // Only the status matters.
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
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      const outside = error ? [] : addresses.filter(({ address }) => !isForbidden(address, allowance));
      const [first] = outside;
      if (error || !first) found(error ?? new Inside(`${hostname} lies inside this network`), '', 0);
      else if (options.all) found(null, outside);
      else found(null, first.address, first.family);
    });

class Inside extends Error {
  override readonly name = 'Inside';
}
