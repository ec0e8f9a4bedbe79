/** Whether anybody looks at the page, for those who do nothing while nobody does. */
import { effect } from '@preact/signals';
import { listen } from '../state/live';
import { visible } from '../state/visible';

let gaze = new AbortController();

function lookAway(): void {
  gaze.abort();
  gaze = new AbortController();
}

effect(() => void (visible.value || lookAway()));
// A connection that is dead on one side says nothing; the line is the one that notices.
listen((event) => void (event.kind === 'cut' && lookAway()));

/** Over when the page is seen; the signal is aborted when it is hidden, or when the line was cut. */
export async function seen(): Promise<AbortSignal> {
  if (!visible.value)
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
  return gaze.signal;
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
