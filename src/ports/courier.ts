/** Takes notices to a reader outside: a webhook. */
import type { NoticeId } from '../contract/ids.js';
import type { Webhook } from './store.js';

/** What came of one attempt. A fate, never an exception. */
export type Handover = { readonly kind: 'accepted' } | { readonly kind: 'refused'; readonly why: string };

export interface Courier {
  /**
   * One attempt, within a time limit. The same notice may be carried more than once, always under its own id, so that
   * the reader can tell. `refused` does not promise that the reader has not seen it.
   */
  carry(webhook: Webhook, notice: NoticeId, body: object, signal: AbortSignal): Promise<Handover>;
}
