/** Stops work while the page is hidden. */
import { effect } from '@preact/signals';
import { listen } from '../state/live';
import { visible } from '../state/visible';

let gaze = new AbortController();

function lookAway(): void {
  gaze.abort();
  gaze = new AbortController();
}

effect(() => void (visible.value || lookAway()));
// Half-open connections are silent; the stream notices them.
listen((event) => void (event.kind === 'cut' && lookAway()));

/** Resolves when the page is visible. The signal aborts when it is hidden or the stream breaks. */
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
