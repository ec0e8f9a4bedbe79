import { isRefusal, type Refusal } from '../../src/contract/refusal.js';

/** For a test in which a refusal would be a fault. */
export function allowed<Outcome>(outcome: Outcome | Refusal): Outcome {
  if (isRefusal(outcome)) throw new Error(`It was refused: ${outcome.why}`);
  return outcome;
}
