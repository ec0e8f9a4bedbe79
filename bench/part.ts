import type { Peer } from './peer.js';
import type { Plan } from './plan.js';
import type { Row, Verdict } from './table.js';

/** One question that the bench asks. A new one is a file that exports a part, and its name in `parts.ts`. */
export type Part = {
  /** As it is asked for on the command line. */
  readonly name: string;
  /** Asks it of everybody who can answer; `guests` are the peers that are not ours. */
  readonly measure: (guests: readonly Peer[], plan: Plan) => Promise<Findings>;
};

export type Findings = {
  readonly rows: readonly Row[];
  /** undefined where the peer that a claim is about was not there. */
  readonly verdicts: readonly (Verdict | undefined)[];
};
