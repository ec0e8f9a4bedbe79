/** Time for the rest of Rouse: nothing else reads a clock or sets a timer. */
export interface Clock {
  /** Milliseconds since 1970: for stamps. It may step in either direction. */
  now(): number;

  /** Milliseconds since some moment: for intervals. It never goes back. */
  monotonic(): number;

  /** Rings once, after at least this many milliseconds of monotonic time, unless cleared. It keeps no program alive. */
  alarm(afterMs: number, ring: () => void): Alarm;
}

export interface Alarm {
  clear(): void;
}

export const iso = (instant: number): string => new Date(instant).toISOString();

/** Resolves after the time, or at once when the signal is aborted; it never rejects. */
export const pause = (clock: Clock, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const alarm = clock.alarm(ms, done);
    function done() {
      alarm.clear();
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done, { once: true });
  });

/** A signal that is aborted after the time or with the given signal, whichever comes first. Dispose of it when done. */
export function deadline(clock: Clock, ms: number, signal: AbortSignal) {
  const late = new AbortController();
  const alarm = clock.alarm(ms, () => late.abort());
  return {
    signal: AbortSignal.any([signal, late.signal]),
    get isOver(): boolean {
      return late.signal.aborted;
    },
    [Symbol.dispose]: (): void => alarm.clear(),
  };
}

/** Over when the event loop has come round: whatever was ready before, what was written included, has been served. */
export const roundOver = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
