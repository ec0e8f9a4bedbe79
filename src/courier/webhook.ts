/**
 * A webhook, signed as the Standard Webhooks specification says: `webhook-id` names the notice and stays the same over
 * all attempts, `webhook-signature` is `v1,` and the HMAC-SHA256 of `ID.TIMESTAMP.BODY` in base64.
 */
import { createHmac } from 'node:crypto';
import { deadline, type Clock } from '../ports/clock.js';
import type { NoticeId } from '../contract/ids.js';
import { redirected } from '../domain/session/redirect.js';
import type { Courier, Handover } from '../ports/courier.js';
import type { Webhook } from '../ports/store.js';
import { errno } from '../errno.js';

export class WebhookCourier implements Courier {
  constructor(
    readonly clock: Clock,
    readonly timeoutMs: number,
    readonly agent: string,
  ) {}

  async carry({ url, secret }: Webhook, notice: NoticeId, body: object, signal: AbortSignal): Promise<Handover> {
    const text = JSON.stringify(body);
    const timestamp = String(Math.floor(this.clock.now() / 1_000));
    using limit = deadline(this.clock, this.timeoutMs, signal);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': this.agent,
          'idempotency-key': notice,
          'webhook-id': notice,
          'webhook-timestamp': timestamp,
          'webhook-signature': signature(secret, notice, timestamp, text),
        },
        body: text,
        // What is signed for one address is not sent to another.
        redirect: 'manual',
        signal: limit.signal,
      });
      await response.body?.cancel();
      return response.ok ? { kind: 'accepted' } : refused(redirected(response) ?? `it answered ${response.status}`);
    } catch (error) {
      return refused(limit.isOver ? `it did not answer within ${this.timeoutMs} ms` : reason(error));
    }
  }
}

/** A secret that begins with `whsec_` is base64, as the specification has it; any other is taken as it is. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);

export const signature = (secret: string, id: string, timestamp: string, body: string): string =>
  `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`;

const refused = (why: string): Handover => ({ kind: 'refused', why });

/** What fetch throws says nothing; what caused it does. */
function reason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = errno(cause);
  return `it could not be reached${code ? ` (${code})` : ''}`;
}
