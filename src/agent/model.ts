import type { AgentFailure, ThinkRequest, Thought } from '../ports/agent.js';

/** One model of one provider. */
export interface Model {
  /** One try, with no second one: see `Agent.think` for what is told and answered. */
  attempt(request: Attempt): Promise<Thought | AgentFailure>;
}

export type Attempt = Pick<ThinkRequest, 'messages' | 'tools' | 'told' | 'signal'>;

export const aborted: AgentFailure = { failed: 'aborted', why: 'The turn was stopped.' };
