/** Every refusal, and the HTTP status that it is sent with. */
export const REFUSALS = {
  invalid: 400,
  'not-found': 404,
  ambiguous: 409,
  'no-such-directory': 422,
  'no-such-shell': 422,
  'no-such-place': 422,
  'place-unreachable': 503,
  'did-not-start': 503,
  'limit-reached': 429,
  'already-ended': 409,
  'not-running-yet': 409,
  'input-closed': 409,
  'input-full': 409,
  'no-terminal': 409,
  'output-damaged': 410,
  'already-settled': 409,
  'key-taken': 409,
  'session-closed': 409,
  'no-agent': 409,
  'too-large': 413,
  'inside-process': 403,
  stopping: 503,
} as const;

/** What was understood and turned down. Returned, never thrown; the sentence is for a person. */
export type Refusal = {
  readonly refused: keyof typeof REFUSALS;
  readonly why: string;
  readonly candidates?: readonly string[];
};

export const refuse = (refused: Refusal['refused'], why: string): Refusal => ({ refused, why });

export const isRefusal = (outcome: unknown): outcome is Refusal =>
  typeof outcome === 'object' && outcome !== null && 'refused' in outcome && 'why' in outcome;
