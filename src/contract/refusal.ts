/** What was understood and turned down. Returned, never thrown; the sentence is for a person. */
export type Refusal = {
  readonly refused:
    | 'invalid'
    | 'not-found'
    | 'ambiguous'
    | 'no-such-directory'
    | 'no-such-shell'
    | 'no-such-place'
    | 'place-unreachable'
    | 'did-not-start'
    | 'limit-reached'
    | 'already-ended'
    | 'not-running-yet'
    | 'input-closed'
    | 'input-full'
    | 'no-terminal'
    | 'output-damaged'
    | 'already-settled'
    | 'key-taken'
    | 'session-closed'
    | 'no-agent'
    | 'too-large'
    | 'inside-process'
    | 'stopping';
  readonly why: string;
  readonly candidates?: readonly string[];
};

export const refuse = (refused: Refusal['refused'], why: string): Refusal => ({ refused, why });

export const isRefusal = (outcome: unknown): outcome is Refusal =>
  typeof outcome === 'object' && outcome !== null && 'refused' in outcome && 'why' in outcome;
