/** Takes an alert to a browser whose page is closed, by way of the push service that the browser has named. */
import type { Refusal } from '../contract/refusal.js';
import type { Alert } from '../contract/alert.js';

/** Where a browser wants to be told, and the keys for its eyes only. */
export type Subscription = {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
};

/** Who we are to a push service. The private one never leaves the host. */
export type PushKeys = { readonly publicKey: string; readonly privateKey: string };

/** What came of one attempt. A fate, never an exception. */
export type PushFate =
  | { readonly kind: 'accepted' }
  /** The browser does not want it any more: the subscription is over. */
  | { readonly kind: 'gone' }
  /** Another attempt may succeed, after this pause if the service names one. */
  | { readonly kind: 'later'; readonly why: string; readonly afterMs?: number }
  | { readonly kind: 'refused'; readonly why: string };

export interface Push {
  newKeys(): PushKeys;

  /** Whether an alert could be sent there at all. Nothing is sent. */
  check(subscription: Subscription): Refusal | undefined;

  /**
   * One attempt, within a time limit. `accepted` promises that the push service has it, not that it was shown. The same
   * alert may be sent more than once: it bears its tag, by which the browser can tell.
   */
  send(keys: PushKeys, subscription: Subscription, alert: Alert, signal: AbortSignal): Promise<PushFate>;
}
