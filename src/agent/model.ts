import type { AgentFailure, ThinkRequest, Thought } from '../ports/agent.js';

/** One model of one provider. */
export interface Model {
  /** One attempt without a retry: see `Agent.think` for what it reports and returns. */
  attempt(request: Attempt): Promise<Thought | AgentFailure>;
}

export type Attempt = Pick<ThinkRequest, 'messages' | 'tools' | 'told' | 'signal'>;

export const aborted: AgentFailure = { failed: 'aborted', why: 'The turn was stopped.' };

/** Models and providers may write anything: what is not JSON stays text. */
export function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
