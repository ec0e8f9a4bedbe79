/** What an agent is shown of a session, message by message, whichever model reads it. */
import type { Kept } from './journal.js';
import type { Cause } from './notice.js';

/** What the model is shown, oldest first. */
export type PromptMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'person'; readonly text: string }
  | NoticeMessage
  | {
      readonly role: 'agent';
      readonly text: string;
      readonly reasoning?: string;
      readonly calls: readonly ToolCall[];
      /** What the thought gave to be kept. Without it the message is understood all the same. */
      readonly kept?: Kept;
    }
  | {
      readonly role: 'tool';
      readonly call: string;
      readonly tool: string;
      readonly result: string;
      readonly failed: boolean;
    };

/** A machine-made message. Providers know no such role and get it as the user's; its text must say that nobody spoke. */
export type NoticeMessage = {
  readonly role: 'notice';
  readonly text: string;
  /** The same facts as data. Models that read prose do not get them. */
  readonly causes: readonly Cause[];
  /** Told at a step of a turn that was running already. Without it, the notice began the turn: it is a wake. */
  readonly midTurn?: boolean;
};

export type ToolCall = {
  /** The provider's own name for the call: unique among the calls of one step, and no further. */
  readonly id: string;
  readonly tool: string;
  /** As the model gave it, unchecked; its plain text where that was not JSON. */
  readonly input: unknown;
};
