/**
 * What an agent is shown of a session, message by message, whichever model reads it.
 * A `notice` is machine-made: it never stands in the person's role, so that nothing in it can be taken for consent.
 */
import type { ProcessId } from './ids.js';
import type { End } from './process.js';

export type ToolCall = { readonly id: string; readonly tool: string; readonly input: unknown };

/** Why the agent was woken; one for each notice, in the order in which they became due. */
export type PromptCause = {
  readonly kind: string;
  readonly process?: ProcessId;
  readonly end?: End;
  readonly pattern?: string;
  readonly output?: string;
};

export type PromptMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'person'; readonly text: string }
  | { readonly role: 'notice'; readonly text: string; readonly causes: readonly PromptCause[] }
  | { readonly role: 'agent'; readonly text: string; readonly reasoning?: string; readonly calls: readonly ToolCall[] }
  | {
      readonly role: 'tool';
      readonly call: string;
      readonly tool: string;
      readonly result: string;
      readonly failed: boolean;
    };
