/**
 * What answers one step of a turn: a model.
 *
 * A step is one question to the model: all that was said so far goes in; words, reasoning and tool calls come out. The
 * loop over the steps, the tools and the journal are not in here. Nothing in here is remembered between two steps.
 */
import type { Kept } from '../contract/journal.js';
import type { PromptMessage, ToolCall } from '../domain/session/transcript.js';

export type { Kept } from '../contract/journal.js';
export type { PromptMessage, ToolCall } from '../domain/session/transcript.js';

export type ToolShape = {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input, an object. */
  readonly schema: object;
};

export type Delta = { readonly kind: 'text' | 'reasoning'; readonly text: string };

export type Thought = {
  /** What the text deltas add up to. */
  readonly text: string;
  /** What the reasoning deltas add up to. */
  readonly reasoning: string;
  /** Whole calls only, in the order in which the model made them. */
  readonly calls: readonly ToolCall[];
  /** `tools` exactly when there are calls; `length` when the model had to stop in the middle of its words. */
  readonly finish: 'stop' | 'tools' | 'length' | 'filtered';
  readonly usage: Usage;
  readonly kept?: Kept;
};

export type Usage = {
  /** The cached ones included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens?: number;
  /** What the step cost by the list price, where that is known. */
  readonly costUsd?: number;
};

/** Why no thought came. A fate, not a fault. */
export type AgentFailure = {
  readonly failed:
    | 'rate-limited'
    | 'overloaded'
    | 'unreachable'
    | 'credentials'
    | 'no-credit'
    /** The provider will not answer this question: an unknown model, too long a prompt, a tool it cannot read. */
    | 'refused'
    /** The answer ended in its middle. Deltas may have been sent; none of its calls was returned. */
    | 'broken-off'
    | 'aborted';
  /** A sentence for a person, without a secret in it. */
  readonly why: string;
  /** How long the provider asked us to stay away. */
  readonly retryAfterMs?: number;
};

export type ThinkRequest = {
  /** `PROVIDER/MODEL`, or `rehearsal`. */
  readonly model: string;
  readonly messages: readonly PromptMessage[];
  readonly tools: readonly ToolShape[];
  /** Called for every delta, in order. Never after the signal is aborted, never after the answer. */
  readonly told: (delta: Delta) => void;
  /** Called before each pause that comes before another try. */
  readonly retrying?: (failure: AgentFailure, inMs: number) => void;
  readonly signal: AbortSignal;
};

export interface Agent {
  /**
   * One step: tells the deltas as they come and answers with the whole, or with why there is none.
   *
   * Limits and outages of the provider are tried again by itself, with back-off and within a budget, as long as nothing
   * of an answer has come; after that a break is `broken-off`, and the caller decides. An abort answers `aborted` soon,
   * whatever the provider does. It throws for bugs alone.
   */
  think(request: ThinkRequest): Promise<Thought | AgentFailure>;

  /** How many tokens the model can be shown, its answer included. A careful guess where it is not known. */
  window(model: string): number;

  /**
   * A mark that changes when the address or the credentials change with which this model is asked, and with nothing
   * else. What failed for want of credentials may be tried again under another mark. No secret can be read from it.
   */
  credentials(model: string): string;
}

/** A thought has no `failed`. */
export const isFailure = (outcome: Thought | AgentFailure): outcome is AgentFailure => 'failed' in outcome;
