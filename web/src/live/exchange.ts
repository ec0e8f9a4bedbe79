/** What the tabs of a browser and the keeper of its one line say to each other. */
import type { LiveEvent } from 'rouse/contract/event';
import type { SessionId } from 'rouse/contract/ids';
import type { LineEvent, LineState } from './line';

export type ToKeeper =
  /** The tab holds the lock of this name for as long as it lives. A keeper cannot read the key itself. */
  | { readonly kind: 'join'; readonly lock: string; readonly key: string | undefined }
  /** Asks for the words that are being spoken in a session; every event behind the answer is new. */
  | { readonly kind: 'follow'; readonly session: SessionId }
  | { readonly kind: 'hurry'; readonly key: string | undefined };

/** The words of a running step, and the number up to which the line had come when it was asked for them. */
export type Followed = { readonly words: readonly LiveEvent[]; readonly seq: number };

export type ToTab =
  | { readonly kind: 'state'; readonly state: LineState }
  | { readonly kind: 'event'; readonly event: LineEvent }
  | ({ readonly kind: 'followed'; readonly session: SessionId } & Followed)
  /** Said every few seconds: a keeper that is silent is gone. */
  | { readonly kind: 'alive' };
