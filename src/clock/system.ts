import { performance } from 'node:perf_hooks';
import type { Clock } from '../ports/clock.js';

/** Node's own timers hold at most 2^31-1 ms; a longer alarm is set again when that is over. */
const LONGEST_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  alarm(afterMs, ring) {
    const dueAt = performance.now() + afterMs;
    let timer = setTimeout(check, Math.min(afterMs, LONGEST_MS)).unref();
    function check() {
      const left = dueAt - performance.now();
      if (left > 1) timer = setTimeout(check, Math.min(left, LONGEST_MS)).unref();
      else ring();
    }
    return { clear: () => clearTimeout(timer) };
  },
};
