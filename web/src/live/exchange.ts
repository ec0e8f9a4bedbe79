/** Messages between the tabs of a browser and the worker that holds the event stream. */
import type { LiveEvent } from 'rouse/contract/event';
import type { SessionId } from 'rouse/contract/ids';
import type { LineEvent, LineState } from './line';

export type ToKeeper =
  /** The tab holds the lock of this name while it lives. The worker cannot read the key itself. */
  | { readonly kind: 'join'; readonly lock: string; readonly key: string | undefined }
  /** Requests the text of the running step of a session; every event after the answer is newer. */
  | { readonly kind: 'follow'; readonly session: SessionId }
  | { readonly kind: 'hurry'; readonly key: string | undefined };

/** The text of a running step, and the number that the stream had reached then. */
export type Followed = { readonly words: readonly LiveEvent[]; readonly seq: number };

export type ToTab =
  | { readonly kind: 'state'; readonly state: LineState }
  | { readonly kind: 'event'; readonly event: LineEvent }
  | ({ readonly kind: 'followed'; readonly session: SessionId } & Followed)
  /** Sent every few seconds: a silent worker is gone. */
  | { readonly kind: 'alive' };
