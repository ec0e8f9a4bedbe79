/** One policy for work inside the host that failed, which is nearly always the store: try again after a second. */
import { pause, type Clock } from '../ports/clock.js';

export const RETRY_MS = 1_000;

type Retrying = {
  readonly clock: Clock;
  readonly failed: (error: unknown) => void;
  /** Aborted, it gives up after the failure that comes next. */
  readonly signal: AbortSignal;
};

/** Repeats the work until it succeeds, and reports every failure. */
export async function untilItSucceeds(work: () => Promise<unknown>, retrying: Retrying): Promise<void> {
  const { clock, failed, signal } = retrying;
  for (;;)
    try {
      await work();
      return;
    } catch (error) {
      failed(error);
      if (signal.aborted) return;
      await pause(clock, RETRY_MS, signal);
    }
}
